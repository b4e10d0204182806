import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

export interface FloodData {
  readonly port: number
  /** Whole HTTP requests, taken in turn by all connections. */
  readonly requests: readonly Uint8Array[]
  readonly connections: number
}

export interface FloodReport {
  /** Any status but 429 and those of the service's own faults. */
  readonly answeredPerSecond: number
  /** 429 and 503. */
  readonly refusedPerSecond: number
  /** Other 5xx, and broken connections. */
  readonly failed: number
}

/**
 * A client that sends the next request as soon as it has an answer, whatever it says, on many
 * connections of one address. It has its own thread, so that it does not delay what is measured.
 */
export class Flood {
  readonly #worker: Worker

  constructor(workerData: FloodData) {
    this.#worker = new Worker(new URL('./flood-thread.ts', import.meta.url), { workerData })
  }

  async stop(): Promise<FloodReport> {
    this.#worker.postMessage('stop')
    const [report] = (await once(this.#worker, 'message')) as [FloodReport]
    await this.#worker.terminate()
    return report
  }
}
