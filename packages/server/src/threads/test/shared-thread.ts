import { workerData } from 'node:worker_threads'
import { callHost, serveHost, type SharedThread, type SharedThreadData } from '../shared-thread.ts'
import { WatchedStores } from '../watched-stores.ts'

/** A shared thread that works for stores, and does with some of them what their names say. */
export interface TestThread extends SharedThread {
  work(log: string): void
}
export interface TestThreadHost {
  worked(log: string): void
  setAside(log: string): void
}

const host = callHost<TestThreadHost>()
const data = workerData as SharedThreadData & { readonly dies: boolean; readonly closes: boolean }
const watch = new WatchedStores(data.vitals, (log) => host.tell('host', 'setAside', [log]))
if (data.dies) process.exit(1)

serveHost<TestThread>({
  connect: (port) => port.postMessage('connected'),
  work,
  close: () => (data.closes ? Promise.resolve() : new Promise(() => undefined)),
})

function work(log: string): void {
  if (watch.setAsideSeconds(log) > 0) return
  watch.during(log, () => {
    if (log === 'hangs') for (;;);
    if (log === 'throws') throw new Error('on purpose')
  })
  host.tell('host', 'worked', [log])
}
