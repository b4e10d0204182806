import { MessageChannel, Worker, workerData } from 'node:worker_threads'
import type { MessagePort, Transferable } from 'node:worker_threads'
import type { ServingThreadData } from './serving-calls.ts'

/**
 * A serving thread that loads its code while the main thread still prepares the data to serve,
 * because each takes a third of a second of a start.
 */
export class ServingWorker {
  readonly worker: Worker
  readonly #data: MessagePort
  #ended = false

  /** @param entry its code, which waits for `servingData` */
  constructor(entry: URL, slot: number) {
    const { port1, port2 } = new MessageChannel()
    this.#data = port1
    this.worker = new Worker(entry, {
      workerData: port2,
      transferList: [port2],
      name: `serve-${slot}`,
    })
    // The pool adds its own listener later; until then an error must not end the process.
    this.worker.on('error', () => undefined)
    this.worker.once('exit', () => (this.#ended = true))
  }

  /** The thread died while it loaded its code. */
  get hasEnded(): boolean {
    return this.#ended
  }

  /** Sends the thread the data to serve. */
  begin(data: ServingThreadData, transferred: Transferable[]): void {
    this.#data.postMessage(data, transferred)
  }
}

/** Resolves with the data to serve; for serving threads. */
export function servingData(): Promise<ServingThreadData> {
  const port = workerData as MessagePort
  return new Promise((resolve) => {
    port.once('message', (data: ServingThreadData) => {
      port.close()
      resolve(data)
    })
  })
}
