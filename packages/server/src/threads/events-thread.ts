import { parentPort, workerData } from 'node:worker_threads'
import { EventLogs } from '@aisle/events'
import { EventLogServer } from '../adapters/event-log/event-log-server.ts'
import type { LivingLog } from '../services/events/living-logs.ts'
import type { SharedThreadData, ToSharedThread } from './thread-host.ts'
import { WatchedStores } from './watched-stores.ts'

/** Entry of the thread that owns the event logs: the only one that writes to them. */
export type ToEventsThread =
  | ToSharedThread
  /** Logs of other stores than these are removed; what these may take in a day. */
  | { readonly kind: 'sweep'; readonly living: readonly LivingLog[] }

export type FromEventsThread =
  | { readonly kind: 'closed' }
  | { readonly kind: 'problem'; readonly log: string; readonly message: string }

const control = parentPort!
const tell = (message: FromEventsThread): void => control.postMessage(message)
const { folder, vitals } = workerData as SharedThreadData & { readonly folder: string }
const watch = new WatchedStores(vitals, (log, seconds) =>
  tell({ kind: 'problem', log, message: `Events are refused for ${seconds} s` }),
)
const logs = new EventLogs({
  folder,
  now: () => Date.now(),
  onProblem: (log, message) => tell({ kind: 'problem', log, message }),
  during: (log, work) => watch.during(log, work),
})
const server = new EventLogServer(logs, watch)

control.on('message', (message: ToEventsThread) => {
  switch (message.kind) {
    case 'connect':
      server.serve(message.port)
      break
    case 'sweep':
      void logs.sweep(new Map(message.living.map(({ log, dayMaxBytes }) => [log, dayMaxBytes])))
      break
    case 'close':
      void logs.close().then(() => tell({ kind: 'closed' }))
      break
  }
})
