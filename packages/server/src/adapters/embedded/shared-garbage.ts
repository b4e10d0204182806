import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Dead shared memory that triggers a collection. */
const GARBAGE_MAX_BYTES = 96 * 1024 * 1024
/**
 * Memory that remains after a load is freed when nothing has arrived for this time, unless it is
 * little.
 */
const IDLE_MS = 5_000
const IDLE_GARBAGE_MIN_BYTES = 8 * 1024 * 1024

/**
 * Frees shared memory that a thread no longer uses. V8 does not count shared buffers when it
 * decides to collect, so a thread that handles many of them and makes little garbage otherwise (a
 * serving thread during a bulk load, the merge thread) would keep hundreds of megabytes of dead
 * segments. Each thread counts what passes through its hands and asks for a collection itself, once
 * per 96 MB, and once after a load.
 *
 * A busy thread is left alone: V8 collects its heap every few seconds anyway. A collection that is
 * asked for takes 60 to 300 ms at once where V8's own takes 5 to 25, and 100 to 300 compiled
 * functions are lost with the shapes of objects that happen not to exist between two searches: the
 * next 100 searches took 1.9 times as long.
 */
export class SharedGarbage {
  readonly #force: () => void
  #bytes = 0
  #idle: NodeJS.Timeout | undefined
  /** Nothing else references it, so it disappears when V8 has collected the whole heap. */
  #witness = new WeakRef({})

  /** @param force collects the heap of this thread now */
  constructor(force: () => void = forceCollection) {
    this.#force = force
  }

  /** @param bytes shared memory that this thread has come to hold, and will let go of some time */
  passed(bytes: number): void {
    if (this.#witness.deref() === undefined) this.#begin()
    this.#bytes += bytes
    if (this.#bytes >= GARBAGE_MAX_BYTES) this.#collect()
    else if (this.#idle !== undefined) this.#idle.refresh()
    else {
      this.#idle = setTimeout(() => {
        if (this.#witness.deref() === undefined) this.#begin()
        if (this.#bytes >= IDLE_GARBAGE_MIN_BYTES) this.#collect()
      }, IDLE_MS).unref()
    }
  }

  #collect(): void {
    this.#begin()
    this.#force()
  }

  /** Resets the count. */
  #begin(): void {
    this.#bytes = 0
    this.#witness = new WeakRef({})
  }
}

function forceCollection(): void {
  collector ??= exposeCollector()
  collector()
}

let collector: (() => void) | undefined

function exposeCollector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}
