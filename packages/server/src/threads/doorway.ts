import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import {
  createStartProgress,
  type StartProgressMemory,
} from '../adapters/embedded/start-progress.ts'

export interface DoorwayThreadData {
  readonly host: string
  readonly port: number
  readonly progress: StartProgressMemory
}

/**
 * Answers on the port from the first moments of a start, until serving threads do: `/livez` is 200,
 * `/health` 503 with the progress, all else 503 `unavailable`. It is a thread of its own, of one
 * small file, because the main thread has much to load and to read then: nothing here waits for its
 * event loop.
 */
export class Doorway {
  readonly port: number
  readonly progress: StartProgressMemory
  readonly #worker: Worker

  private constructor(worker: Worker, port: number, progress: StartProgressMemory) {
    this.#worker = worker
    this.port = port
    this.progress = progress
  }

  /**
   * @param listen.port 0: any free one
   * @throws Error of one line when it cannot listen
   */
  static async open(listen: { readonly host: string; readonly port: number }): Promise<Doorway> {
    const { host, port } = listen
    const progress = createStartProgress()
    const workerData: DoorwayThreadData = { host, port, progress }
    const worker = new Worker(new URL('./doorway-thread.ts', import.meta.url), {
      workerData,
      name: 'doorway',
    })
    // Should it die, the port is refused for a moment; nothing else depends on it.
    worker.on('error', () => undefined)
    // What it throws before it listens is thrown here.
    const [listening] = (await once(worker, 'message')) as [number]
    return new Doorway(worker, listening, progress)
  }

  /**
   * Serving threads answer now: takes no more connections, and ends when those it has are answered.
   */
  async close(): Promise<void> {
    const ended = new Promise<void>((resolve) => this.#worker.once('exit', () => resolve()))
    this.#worker.postMessage('close')
    await ended
  }
}
