import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Shared memory that may lie about before a collection is asked for. */
const GARBAGE_MAX_BYTES = 96 * 1024 * 1024

/**
 * Frees shared memory that a thread no longer uses. V8 does not count shared buffers when it
 * decides to collect, so a thread that handles many of them and makes little garbage otherwise (a
 * serving thread during a bulk load, the merge thread) would keep hundreds of megabytes of dead
 * segments. Each thread counts what passes through its hands and asks for a collection itself; its
 * heap is small, so that takes some 10 ms, once per 96 MB.
 */
export class SharedGarbage {
  #bytes = 0
  #collect: (() => void) | undefined

  /** @param bytes shared memory that this thread has come to hold, and will let go of some time */
  passed(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes < GARBAGE_MAX_BYTES) return
    this.#bytes = 0
    this.#collect ??= exposeCollector()
    this.#collect()
  }
}

function exposeCollector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}
