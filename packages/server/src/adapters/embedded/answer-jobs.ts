import { parentPort, workerData } from 'node:worker_threads'
import { ApiError } from '@aisle/contract/errors'
import { serveCalls } from '../message-port/serve-calls.ts'
import type { BackgroundThreadData, JobCalls } from './background-worker.ts'

/**
 * The thread's side of a BackgroundWorker. It responds to a failed job with the error and its
 * stack.
 *
 * @param perform calls `beat` repeatedly while it makes progress
 */
export function answerJobs(perform: (message: unknown, beat: () => void) => unknown): void {
  const { beats } = workerData as BackgroundThreadData
  const beat = (): void => void Atomics.add(beats, 0, 1)
  const jobs: JobCalls['jobs'] = { perform: async (message) => await perform(message, beat) }
  serveCalls<JobCalls>(parentPort!, { jobs }, (error) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return new ApiError('internal', text)
  })
}
