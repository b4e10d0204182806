import { workerData } from 'node:worker_threads'
import { LogFolder } from '@aisle/event-log'
import { EventLogServer } from '../adapters/event-log/event-log-server.ts'
import type { LogLimits } from '../services/events/log-limits.ts'
import { callHost, serveHost, type SharedThread, type SharedThreadData } from './shared-thread.ts'
import { restoreThreadPriority } from './thread-priority.ts'
import { WatchedStores } from './watched-stores.ts'

/** Entry of the thread that owns the event logs: the only one that writes to them. */
export interface EventsThread extends SharedThread {
  /** Stores whose logs are kept, with their daily quotas; logs of others are removed. */
  sweep(living: readonly LogLimits[]): Promise<void>
}

/** Messages to its host. */
export interface EventsThreadHost {
  problem(log: string, message: string): void
}

restoreThreadPriority()
const { folder, vitals } = workerData as SharedThreadData & { readonly folder: string }
const host = callHost<EventsThreadHost>()
const problem = (log: string, message: string): void => host.tell('host', 'problem', [log, message])
const watch = new WatchedStores(vitals, (log, seconds) =>
  problem(log, `Events are refused for ${seconds} s`),
)
const logs = new LogFolder({
  folder,
  now: () => Date.now(),
  onProblem: problem,
  during: (log, work) => watch.during(log, work),
})
const server = new EventLogServer(logs, watch)

serveHost<EventsThread>({
  connect: (port) => server.serve(port),
  sweep: (living) => logs.sweep(new Map(living.map(({ log, dayMaxBytes }) => [log, dayMaxBytes]))),
  close: () => logs.close(),
})
