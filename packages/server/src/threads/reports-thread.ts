import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'
import { ApiError } from '@aisle/contract'
import { DiskLogFiles } from '@aisle/event-log'
import { ReportDatabase } from '../adapters/duckdb/report-database.ts'
import { SharedDiskRoom, type DiskRoomMemory } from '../adapters/shared-memory/disk-room.ts'
import { EventLogClient } from '../adapters/event-log/event-log-client.ts'
import { serveReports, type LogReports } from '../adapters/report-thread/report-server.ts'
import type { LogLimits } from '../services/events/log-limits.ts'
import { callHost, serveHost, type EventsFollower, type SharedThreadData } from './shared-thread.ts'
import { lowerThreadPriority, PATIENT_NICENESS } from './thread-priority.ts'
import { WatchedStores } from './watched-stores.ts'

/**
 * Entry of the thread that produces reports: the only one that uses DuckDB. It reads the event logs
 * as they grow and responds to serving threads.
 */
export interface ReportsThreadData extends SharedThreadData {
  /** Folder of the event logs. */
  readonly events: string
  /** Folder of the files derived from them. */
  readonly folder: string
  readonly memoryBytes: number
  readonly diskRoom: DiskRoomMemory
}

export interface ReportsThread extends EventsFollower {
  /** Stores whose reports are kept, with the retention of their events; the rest is removed. */
  sweep(living: readonly LogLimits[]): Promise<void>
}

/** Messages to its host. */
export interface ReportsThreadHost {
  problem(log: string | undefined, message: string): void
  /**
   * Sent when events were removed from a log, or everything must be rebuilt from it: its other
   * readers must follow. Resolves when the data that they derived before is removed.
   */
  rewritten(log: string): Promise<void>
}

const FOLLOW_MS = 1_000
/** Delay after an error. */
const BACK_OFF_MS = 5_000

lowerThreadPriority(PATIENT_NICENESS)
const host = callHost<ReportsThreadHost>()
const { events, folder, memoryBytes, diskRoom, vitals } = workerData as ReportsThreadData
const room = new SharedDiskRoom(diskRoom)
const watch = new WatchedStores(vitals, (log, seconds) =>
  host.tell('host', 'problem', [log, `Reports are quarantined for ${seconds} s`]),
)
const client = new EventLogClient()
const database = new ReportDatabase({
  folder,
  logs: {
    files: (log) => new DiskLogFiles(join(events, log)),
    end: (log) => client.endOf(log),
    ends: () => client.ends(),
    async erase(log, positions) {
      await client.erase(log, positions)
      await tellOthers(log)
    },
    async dropBefore(log, receivedMs) {
      const bytesFreed = await client.dropBefore(log, receivedMs)
      if (bytesFreed > 0) await tellOthers(log)
      return bytesFreed
    },
    bar: (log, visitor) => client.bar(log, visitor),
  },
  memoryBytes,
  roomBytes: () => room.bytes(),
  now: () => Date.now(),
  onProblem: (log, message) => host.tell('host', 'problem', [log, message]),
  watch,
})
const reports: LogReports = {
  count: (log, query) => database.count(log, query),
  journey: (log, query) => database.journey(log, query),
  async rebuild(log) {
    await tellOthers(log)
    return database.rebuild(log)
  },
  erase: (log, visitor) => database.erase(log, visitor),
  dropBefore: (log, receivedMs) => database.dropBefore(log, receivedMs),
}
let isClosing = false

serveHost<ReportsThread>({
  connect: (port) => serveReports(port, reports, problem),
  useEvents: (port) => client.connect(port),
  sweep: (living) => sweep(living).catch(problem),
  close() {
    isClosing = true
    return database.close()
  },
})
void follow()

/** @returns when the data that others derived from the log before is removed */
function tellOthers(log: string): Promise<void> {
  return host.call('host', 'rewritten', [log])
}

/** Reads new events in a loop. */
async function follow(): Promise<void> {
  while (!isClosing) {
    await sleep(FOLLOW_MS)
    try {
      await database.advanceAll()
    } catch (error) {
      // The log thread may be restarting; a damaged file has been removed and reported.
      if (!(error instanceof ApiError)) problem(error)
      await sleep(BACK_OFF_MS)
    }
  }
}

async function sweep(living: readonly LogLimits[]): Promise<void> {
  await database.sweep(new Set(living.map(({ log }) => log)))
  for (const { log, retentionMs } of living) await database.retain(log, Date.now() - retentionMs)
}

function problem(error: unknown): void {
  if (isClosing) return
  const message = error instanceof Error ? (error.stack ?? '') : String(error)
  host.tell('host', 'problem', [undefined, message])
}
