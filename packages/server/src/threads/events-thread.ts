import { parentPort, workerData } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import { EventLogs } from '@aisle/events'
import { EventLogServer } from '../adapters/event-log/event-log-server.ts'

import type { LivingLog } from './living-logs.ts'

/** Entry of the thread that owns the event logs: the only one that writes to them. */
export type ToEventsThread =
  /** Another thread that sends events. */
  | { readonly kind: 'connect'; readonly port: MessagePort }
  /** Logs of other stores than these are removed; what these may take in a day. */
  | { readonly kind: 'sweep'; readonly living: readonly LivingLog[] }
  /** Write what is there, close the files, then `closed`. */
  | { readonly kind: 'close' }

export type FromEventsThread =
  | { readonly kind: 'closed' }
  | { readonly kind: 'problem'; readonly log: string; readonly message: string }

const control = parentPort!
const tell = (message: FromEventsThread): void => control.postMessage(message)
const { folder } = workerData as { folder: string }
const logs = new EventLogs({
  folder,
  now: () => Date.now(),
  onProblem: (log, message) => tell({ kind: 'problem', log, message }),
})
const server = new EventLogServer(logs)

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
