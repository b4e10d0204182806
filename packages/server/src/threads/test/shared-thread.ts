import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import type { SharedThreadData } from '../thread-host.ts'
import { WatchedStores } from '../watched-stores.ts'

/** A shared thread that works for stores, and does with some of them what their names say. */
export type ToTestThread = { readonly kind: 'work'; readonly log: string }
export type FromTestThread =
  | { readonly kind: 'worked'; readonly log: string }
  | { readonly kind: 'setAside'; readonly log: string }

const control = parentPort!
const tell = (message: FromTestThread | { readonly kind: 'closed' }): void =>
  control.postMessage(message)
const data = workerData as SharedThreadData & { readonly dies: boolean; readonly closes: boolean }
const watch = new WatchedStores(data.vitals, (log) => tell({ kind: 'setAside', log }))
if (data.dies) process.exit(1)

type Message =
  | ToTestThread
  | { readonly kind: 'close' }
  | { readonly kind: 'connect'; port: MessagePort }

control.on('message', (message: Message) => {
  if (message.kind === 'connect') message.port.postMessage('connected')
  else if (message.kind === 'work') work(message.log)
  else if (data.closes) tell({ kind: 'closed' })
})

function work(log: string): void {
  if (watch.setAsideSeconds(log) > 0) return
  watch.during(log, () => {
    if (log === 'hangs') for (;;);
    if (log === 'throws') throw new Error('on purpose')
  })
  tell({ kind: 'worked', log })
}
