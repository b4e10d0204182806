import { STREAMS_PER_STORE_MAX } from '@aisle/contract'
import type { StreamKind, StreamSlots } from '../../ports/host/stream-slots.ts'
import { hashText } from './hash-text.ts'

/** Maximum of streams of all stores together. */
const SLOTS = 1_024
/**
 * The low bits of a slot are the thread that holds it, from 1; above them is the hash of its
 * purpose. 0 = free.
 */
const THREAD_BITS = 9

export interface StreamSlotMemory {
  readonly words: Int32Array<SharedArrayBuffer>
  /** Makes hashes unpredictable, so that nobody can aim at the slots of another. */
  readonly seed: number
}

export function createStreamSlots(seed: number): StreamSlotMemory {
  return {
    words: new Int32Array(new SharedArrayBuffer(SLOTS * Int32Array.BYTES_PER_ELEMENT)),
    seed,
  }
}

/** Call it when a thread has died, and its streams with it. */
export function freeStreamSlots({ words }: StreamSlotMemory, thread: number): void {
  for (let i = 0; i < SLOTS; i++) {
    const word = Atomics.load(words, i)
    if ((word & (2 ** THREAD_BITS - 1)) === thread + 1) Atomics.compareExchange(words, i, word, 0)
  }
}

/** One table for all threads; a slot is one word, so that it is taken and freed in one step. */
export class SharedStreamSlots implements StreamSlots {
  readonly #memory: StreamSlotMemory
  readonly #thread: number

  /** @param thread from 0 */
  constructor(memory: StreamSlotMemory, thread: number) {
    this.#memory = memory
    this.#thread = thread
  }

  take(kind: StreamKind, storeId: string): (() => void) | undefined {
    const { words, seed } = this.#memory
    const tag = hashText(`${kind} ${storeId}`, seed) >>> THREAD_BITS || 1
    const word = (tag << THREAD_BITS) | (this.#thread + 1)
    if (this.#count(tag) >= STREAMS_PER_STORE_MAX) return undefined
    for (let i = 0; i < SLOTS; i++) {
      if (Atomics.compareExchange(words, i, 0, word) !== 0) continue
      let isHeld = true
      const free = (): void => {
        if (isHeld) Atomics.store(words, i, 0)
        isHeld = false
      }
      // Two threads may have taken the last slots at the same time.
      if (this.#count(tag) <= STREAMS_PER_STORE_MAX) return free
      free()
      return undefined
    }
    return undefined
  }

  #count(tag: number): number {
    let count = 0
    for (let i = 0; i < SLOTS; i++) {
      if (Atomics.load(this.#memory.words, i) >>> THREAD_BITS === tag) count++
    }
    return count
  }
}
