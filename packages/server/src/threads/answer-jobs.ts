import { parentPort, workerData } from 'node:worker_threads'
import type {
  BackgroundAnswer,
  BackgroundThreadData,
} from '../adapters/embedded/background-worker.ts'

/**
 * Thread's side of a BackgroundWorker: one answer per message, in order.
 *
 * @param perform calls `beat` again and again while it comes on
 */
export function answerJobs(perform: (message: unknown, beat: () => void) => unknown): void {
  const { beats } = workerData as BackgroundThreadData
  const beat = (): void => void Atomics.add(beats, 0, 1)
  parentPort?.on('message', (message: unknown) => {
    let answer: BackgroundAnswer
    try {
      answer = { kind: 'done', result: perform(message, beat) }
    } catch (error) {
      answer = {
        kind: 'failed',
        message: error instanceof Error ? (error.stack ?? '') : String(error),
      }
    }
    parentPort?.postMessage(answer)
  })
}
