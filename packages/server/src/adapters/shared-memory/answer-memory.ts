import { UNREAD_ANSWERS_STORE_PERCENT } from '@aisle/contract'
import type { AnswerMemory } from '../../ports/host/answer-memory.ts'
import { hashText } from './hash-text.ts'

/** Counters per thread. Stores that share one have their share together, which this makes rare. */
const STORES = 4_096
/** The first counter of a thread is for all stores. */
const ROW = STORES + 1

/**
 * Bytes by the hash of the store. Each thread counts in its own row, so that what a dead thread
 * held is dropped with its row.
 */
export interface AnswerMemoryCounts {
  readonly rows: BigInt64Array<SharedArrayBuffer>
  /** Makes hashes unpredictable, so that nobody can aim at the share of another. */
  readonly seed: number
}

export function createAnswerMemory(threadCount: number, seed: number): AnswerMemoryCounts {
  const bytes = threadCount * ROW * BigInt64Array.BYTES_PER_ELEMENT
  return { rows: new BigInt64Array(new SharedArrayBuffer(bytes)), seed }
}

/** Call it when a thread has died, and its responses with it. */
export function forgetAnswerMemory({ rows }: AnswerMemoryCounts, thread: number): void {
  rows.fill(0n, thread * ROW, (thread + 1) * ROW)
}

/** One thread's view of the counts. */
export class SharedAnswerMemory implements AnswerMemory {
  readonly #counts: AnswerMemoryCounts
  readonly #first: number
  readonly #maxBytes: number

  /** @param thread from 0 */
  constructor(counts: AnswerMemoryCounts, thread: number, maxBytes: number) {
    this.#counts = counts
    this.#first = thread * ROW
    this.#maxBytes = maxBytes
  }

  take(storeId: string, bytes: number): boolean {
    const store = this.#counterOf(storeId)
    this.#add(store, bytes)
    const ofStore = this.#sum(store)
    // The first response of a store may be larger than its share.
    const isWithinShare =
      ofStore === bytes || ofStore <= (this.#maxBytes * UNREAD_ANSWERS_STORE_PERCENT) / 100
    if (isWithinShare && this.#sum(0) <= this.#maxBytes) return true
    this.#add(store, -bytes)
    return false
  }

  give(storeId: string, bytes: number): void {
    this.#add(this.#counterOf(storeId), -bytes)
  }

  #add(store: number, bytes: number): void {
    const { rows } = this.#counts
    Atomics.add(rows, this.#first, BigInt(bytes))
    Atomics.add(rows, this.#first + store, BigInt(bytes))
  }

  /** Over all threads. */
  #sum(counter: number): number {
    const { rows } = this.#counts
    let bytes = 0n
    for (let at = counter; at < rows.length; at += ROW) bytes += Atomics.load(rows, at)
    return Number(bytes)
  }

  #counterOf(storeId: string): number {
    return 1 + (hashText(storeId, this.#counts.seed) & (STORES - 1))
  }
}
