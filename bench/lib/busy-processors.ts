import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/**
 * Occupies processors with nothing: what it does to the latency of others comes from sharing the
 * machine, not from anything that a service does or leaves undone.
 */
export class BusyProcessors implements AsyncDisposable {
  readonly #workers: readonly Worker[]

  private constructor(workers: readonly Worker[]) {
    this.#workers = workers
  }

  static async start(count: number): Promise<BusyProcessors> {
    const spin = `require('node:worker_threads').parentPort.postMessage(0); for (;;);`
    const workers = Array.from({ length: count }, () => new Worker(spin, { eval: true }))
    await Promise.all(workers.map((worker) => once(worker, 'message')))
    return new BusyProcessors(workers)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()))
  }
}
