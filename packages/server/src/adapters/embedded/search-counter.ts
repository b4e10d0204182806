import { monthOf } from '../../domain/values/month.ts'

/**
 * Searches of one store in one month, in memory that all threads share: one 64-bit word, the month
 * above the count, so that a new month and its first search are one step. A second word holds the
 * time of the last use of the index.
 *
 *     count := month:16bits searches:48bits
 *     use   := milliseconds since 1970
 */
export type SearchCounter = BigInt64Array<SharedArrayBuffer>

const COUNT_BITS = 48n
const COUNT_MASK = (1n << COUNT_BITS) - 1n

export interface SearchCount {
  readonly month: number
  readonly searches: number
}

export function createSearchCounter(start: SearchCount = { month: 0, searches: 0 }): SearchCounter {
  const counter = new BigInt64Array(new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT))
  counter[0] = (BigInt(start.month) << COUNT_BITS) | BigInt(start.searches)
  return counter
}

/** @returns false if the month has had `limit` searches; then nothing is counted */
export function takeSearch(
  counter: SearchCounter,
  nowMs: number,
  limit: number | undefined,
): boolean {
  const month = monthOf(nowMs)
  for (;;) {
    const word = Atomics.load(counter, 0)
    const before = countOf(word)
    // If the clock is set back over the end of a month, counting continues in the later month.
    const isNewMonth = month > before.month
    const searches = isNewMonth ? 0 : before.searches
    if (limit !== undefined && searches >= limit) return false
    const next = isNewMonth ? (BigInt(month) << COUNT_BITS) | 1n : word + 1n
    if (Atomics.compareExchange(counter, 0, word, next) === word) return true
  }
}

export function readCounter(counter: SearchCounter): SearchCount {
  return countOf(Atomics.load(counter, 0))
}

/** Searches of the month of `nowMs`. */
export function searchesUsed(counter: SearchCounter, nowMs: number): number {
  const { month, searches } = readCounter(counter)
  return month >= monthOf(nowMs) ? searches : 0
}

/** Records a use of the index of the store. */
export function noteUse(counter: SearchCounter, nowMs: number): void {
  Atomics.store(counter, 1, BigInt(nowMs))
}

/** Time of the last use, in milliseconds since 1970; 0: none since the start. */
export function lastUseMs(counter: SearchCounter): number {
  return Number(Atomics.load(counter, 1))
}

function countOf(word: bigint): SearchCount {
  return { month: Number(word >> COUNT_BITS), searches: Number(word & COUNT_MASK) }
}
