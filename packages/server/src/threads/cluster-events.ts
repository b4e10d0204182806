import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import { EventIndex } from '@aisle/opensearch'
import type { ClusterConnection, ControlIndex } from '@aisle/opensearch'
import { EventLogClient } from '../adapters/event-log/event-log-client.ts'
import { EventLogServer } from '../adapters/event-log/event-log-server.ts'
import { PortCalls } from '../adapters/message-port/port-calls.ts'
import { ClusterEventLogs } from '../adapters/opensearch/cluster-event-logs.ts'
import type { ClusterStores } from '../adapters/opensearch/cluster-stores.ts'
import { ReportClient } from '../adapters/report-thread/report-client.ts'
import type { ReportCalls } from '../adapters/report-thread/report-server.ts'
import { createDiskRoom } from '../adapters/shared-memory/disk-room.ts'
import { livingLogOf } from '../services/events/living-logs.ts'
import type { Log } from './logger.ts'
import { ReportsHost } from './reports-host.ts'

const SWEEP_MS = 300_000

export interface ClusterEventsOptions {
  readonly cluster: ClusterConnection
  readonly control: ControlIndex
  readonly stores: ClusterStores
  /** What the names of the indices begin with. */
  readonly prefix: string
  readonly reportsMemoryBytes: number
  readonly log: Log
}

/**
 * The events of a cluster on one of its nodes: the logs themselves, their copies in a temporary
 * folder, and the thread that makes reports of these, as on a single machine.
 */
export class ClusterEvents {
  readonly events = new EventLogClient()
  readonly reports = new ReportClient()
  readonly #logs: ClusterEventLogs
  readonly #reportsHost: ReportsHost
  readonly #folder: string
  /** Ways to the logs: open ones keep the process alive. */
  readonly #ports: MessagePort[] = []
  readonly #sweeping: NodeJS.Timeout

  private constructor(
    { stores, reportsMemoryBytes, log }: ClusterEventsOptions,
    logs: ClusterEventLogs,
    folder: string,
    rebuilds: PortCalls<ReportCalls>,
  ) {
    this.#logs = logs
    this.#folder = folder
    const server = new EventLogServer(logs)
    const connectEvents = (): MessagePort => {
      const { port1, port2 } = new MessageChannel()
      server.serve(port1)
      this.#ports.push(port1)
      return port2
    }
    this.events.connect(connectEvents())
    this.#reportsHost = new ReportsHost({
      thread: {
        events: join(folder, 'events'),
        folder: join(folder, 'reports'),
        memoryBytes: reportsMemoryBytes,
        diskRoom: createDiskRoom(),
      },
      connectEvents,
      log,
      onRewritten: async () => undefined,
      onReplaced: () => {
        this.reports.connect(this.#reportsHost.connect())
        rebuilds.connect(this.#reportsHost.connect())
      },
    })
    this.reports.connect(this.#reportsHost.connect())
    rebuilds.connect(this.#reportsHost.connect())
    this.#sweeping = setInterval(() => this.#sweep(stores, log), SWEEP_MS).unref()
  }

  /** Follows the cluster from here on. @throws ClusterError */
  static async open(options: ClusterEventsOptions): Promise<ClusterEvents> {
    const { cluster, control, prefix, log } = options
    // A cache: a node that starts again copies what it needs.
    const folder = mkdtempSync(join(tmpdir(), 'aisle-node-'))
    const rebuilds = new PortCalls<ReportCalls>()
    const logs = await ClusterEventLogs.open({
      index: new EventIndex(cluster, `${prefix}-events`),
      control,
      folder: join(folder, 'events'),
      stateFile: join(folder, 'events-copied.json'),
      now: () => Date.now(),
      onProblem: (eventLog, message) =>
        log('warn', message, eventLog === undefined ? {} : { eventLog }),
      async onRemoved(name, droppedBeforeMs) {
        if (droppedBeforeMs === undefined) await rebuilds.call('reports', 'rebuild', [name])
        else await rebuilds.call('reports', 'dropBefore', [name, droppedBeforeMs])
      },
    })
    return new ClusterEvents(options, logs, folder, rebuilds)
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeping)
    await this.events.flush()
    await this.#reportsHost.close()
    for (const port of this.#ports) port.close()
    await this.#logs.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Events of stores that are gone go, and those that came of age. */
  #sweep(stores: ClusterStores, log: Log): void {
    const living = stores
      .list()
      .map((store) => livingLogOf(store, stores.of(store.storeId).list('settings')))
    const limits = new Map(living.map(({ log: name, dayMaxBytes }) => [name, dayMaxBytes]))
    const keptMs = Math.max(...living.map(({ retentionMs }) => retentionMs))
    this.#reportsHost.sweep(living)
    this.#logs.sweep(limits, keptMs).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      log('warn', 'Old events could not be removed; the next time does it', { reason })
    })
  }
}
