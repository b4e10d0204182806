import { BackgroundWorker, WorkerClosedError } from '../background-worker.ts'
import type { IndexWorker } from '../index-host.ts'

const INDEX_ENTRY = new URL('../../../threads/index-thread.ts', import.meta.url)
/** Starts with its first job, and keeps no process alive. */
const THREAD = new BackgroundWorker(INDEX_ENTRY)

/**
 * The index thread of all catalogs of a process: to start one takes half a second of processor
 * time, and a process of tests opens more than a hundred catalogs.
 */
export function shareIndexThread(): IndexWorker {
  let isClosed = false
  const running = new Set<Promise<unknown>>()
  return {
    async run<Result>(message: unknown): Promise<Result> {
      if (isClosed) throw new WorkerClosedError()
      const job = THREAD.run<Result>(message)
      running.add(job)
      try {
        return await job
      } finally {
        running.delete(job)
      }
    },
    async close() {
      isClosed = true
      await Promise.allSettled(running)
    },
  }
}
