import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Shared memory that may lie about before a collection is asked for. */
const GARBAGE_MAX_BYTES = 96 * 1024 * 1024
/** What is left of a load is freed when nothing has come for so long, unless it is little. */
const IDLE_MS = 5_000
const IDLE_GARBAGE_MIN_BYTES = 8 * 1024 * 1024

/**
 * Frees shared memory that a thread no longer uses. V8 does not count shared buffers when it
 * decides to collect, so a thread that handles many of them and makes little garbage otherwise (a
 * serving thread during a bulk load, the merge thread) would keep hundreds of megabytes of dead
 * segments. Each thread counts what passes through its hands and asks for a collection itself; its
 * heap is small, so that takes some 10 ms, once per 96 MB, and once after a load.
 */
export class SharedGarbage {
  #bytes = 0
  #idle: NodeJS.Timeout | undefined

  /** @param bytes shared memory that this thread has come to hold, and will let go of some time */
  passed(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes >= GARBAGE_MAX_BYTES) this.#collect()
    else if (this.#idle !== undefined) this.#idle.refresh()
    else {
      this.#idle = setTimeout(() => {
        if (this.#bytes >= IDLE_GARBAGE_MIN_BYTES) this.#collect()
      }, IDLE_MS).unref()
    }
  }

  #collect(): void {
    this.#bytes = 0
    collector ??= exposeCollector()
    collector()
  }
}

let collector: (() => void) | undefined

function exposeCollector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}
