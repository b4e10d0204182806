import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RecordBatch, readLog } from '@aisle/event-log'
import type { LogEntry, LogRecord, VisitorEvent } from '@aisle/event-log'
import { ClusterConnection } from '../opensearch/cluster-connection.ts'
import { ControlIndex } from '../opensearch/control-index.ts'
import { EventIndex } from '../opensearch/event-index.ts'
import { TEST_CLUSTER, testIndexName } from '@aisle/testing'
import { ReportDatabase } from '@aisle/server/test'
import { ClusterEventLogs } from './cluster-event-logs.ts'

export interface TestNode extends AsyncDisposable {
  readonly logs: ClusterEventLogs
  /** Made of its copy. */
  readonly reports: ReportDatabase
  /** Of all that the node has on its disk. */
  readonly folder: string
  /** Logs of which other nodes have removed something. */
  readonly removed: string[]
}

export interface TestEvents extends AsyncDisposable {
  readonly connection: ClusterConnection
  readonly index: EventIndex
  /** Starts of the names of all indices. */
  readonly prefix: string
  /** @param folder of a node that was there before */
  start(options?: {
    readonly folder?: string
    readonly now?: () => number
    /** Another way to the cluster. */
    readonly connection?: ClusterConnection
  }): Promise<TestNode>
}

/** Nodes that share the events of a cluster, in separate indices. */
export async function openTestEvents(): Promise<TestEvents> {
  const prefix = testIndexName()
  const connection = new ClusterConnection({ urls: TEST_CLUSTER })
  const control = await ControlIndex.open(connection, `${prefix}-control`)
  const folders = new Set<string>()
  const nodes = new Set<TestNode>()
  const indexOf = (way: ClusterConnection) => new EventIndex(way, `${prefix}-events`)
  return {
    connection,
    index: indexOf(connection),
    prefix,
    async start({ folder = newFolder(), now = Date.now, connection: way = connection } = {}) {
      folders.add(folder)
      const removed: string[] = []
      let isClosing = false
      const logs = await ClusterEventLogs.open({
        index: indexOf(way),
        control,
        folder: join(folder, 'events'),
        stateFile: join(folder, 'events-copied.json'),
        now,
        onProblem: (log, message) => {
          // What is being removed when its reports are closed is removed at the next start.
          if (!isClosing) assert.fail(`${log}: ${message}`)
        },
        onRemoved: async (log, droppedBeforeMs) => {
          removed.push(log)
          if (droppedBeforeMs === undefined) await reports.rebuild(log)
          else await reports.dropBefore(log, droppedBeforeMs)
        },
      })
      const reports = new ReportDatabase({
        folder: join(folder, 'reports'),
        logs,
        memoryBytes: 128e6,
        now,
        // A log that begins later than the reports is one.
        onProblem: () => undefined,
      })
      const node: TestNode = {
        logs,
        reports,
        folder,
        removed,
        async [Symbol.asyncDispose]() {
          nodes.delete(node)
          isClosing = true
          await reports.close()
          await logs.close()
        },
      }
      nodes.add(node)
      return node
    },
    async [Symbol.asyncDispose]() {
      for (const node of nodes) await node[Symbol.asyncDispose]()
      await connection.request({ method: 'DELETE', path: `/${prefix}-*` })
      await connection.close()
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    },
  }
}

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'aisle-node-'))
}

export function recordsOf(...entries: readonly LogEntry[]): Uint8Array<ArrayBuffer> {
  const batch = new RecordBatch()
  for (const entry of entries) batch.add(entry)
  return batch.take()
}

export function clickEvent(messageId: string, more: Partial<VisitorEvent> = {}): VisitorEvent {
  const { receivedMs = Date.now() } = more
  return {
    kind: 'event',
    name: 'click',
    source: 'simple',
    messageId,
    atMs: receivedMs,
    receivedMs,
    visitor: { sessionId: 's' },
    properties: { query: 'q' },
    ...more,
  }
}

/** What a node has of a log, once it has caught up. */
export async function copyOf({ logs }: TestNode, log: string): Promise<LogRecord[]> {
  const end = await logs.end(log)
  const records: LogRecord[] = []
  for (let from = 0; ;) {
    const page = readLog(logs.files(log), from, end)
    records.push(...page.records)
    if (page.next === from) return records
    from = page.next
  }
}

export async function entriesOf(node: TestNode, log: string): Promise<LogEntry[]> {
  return (await copyOf(node, log)).map(({ entry }) => entry)
}
