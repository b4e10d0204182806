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
 * Responds on the port from the first moments of a start until serving threads do: `/livez` is 200,
 * `/health` 503 with the progress, everything else 503 `unavailable`. It is a separate thread, of
 * one small file, so that it never waits for the event loop of the main thread, which has much to
 * load and to read then.
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
   * @param listen.port 0: any free port
   * @throws Error with a one-line message if it cannot listen
   */
  static async open(listen: { readonly host: string; readonly port: number }): Promise<Doorway> {
    const { host, port } = listen
    const progress = createStartProgress()
    const workerData: DoorwayThreadData = { host, port, progress }
    const worker = new Worker(new URL('./doorway-thread.ts', import.meta.url), {
      workerData,
      name: 'doorway',
    })
    // If it dies, connections are refused for a moment; nothing else depends on it.
    worker.on('error', () => undefined)
    // Rethrows an error from before it listens.
    const [listening] = (await once(worker, 'message')) as [number]
    return new Doorway(worker, listening, progress)
  }

  /**
   * Call it when serving threads respond: accepts no more connections, and ends when the open ones
   * are answered.
   */
  async close(): Promise<void> {
    const ended = new Promise<void>((resolve) => this.#worker.once('exit', () => resolve()))
    this.#worker.postMessage('close')
    await ended
  }
}
