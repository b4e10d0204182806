import { parentPort } from 'node:worker_threads'
import type { BackgroundAnswer } from '../adapters/embedded/background-worker.ts'

/** Thread's side of a BackgroundWorker: one answer per message, in order. */
export function answerJobs(perform: (message: unknown) => unknown): void {
  parentPort?.on('message', (message: unknown) => {
    let answer: BackgroundAnswer
    try {
      answer = { kind: 'done', result: perform(message) }
    } catch (error) {
      answer = {
        kind: 'failed',
        message: error instanceof Error ? (error.stack ?? '') : String(error),
      }
    }
    parentPort?.postMessage(answer)
  })
}
