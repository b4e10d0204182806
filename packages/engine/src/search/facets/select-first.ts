import type { Pace, Steps } from '../view/steps.ts'
import { nthLargest } from './nth-largest.ts'
import { sortInSteps } from '../../codec/sort-in-steps.ts'

/** Up to this many numbers are sorted by insertion. */
const INSERTED_MAX = 128
/** Fewer if a comparison reads two texts. */
const TIES_INSERTED_MAX = 8
/** Numbers compared between two looks at the clock, each perhaps some twenty times. */
const NUMBERS_PER_CHECK = 1_024
/** Used within one call. */
const insertedKeys = new Float64Array(INSERTED_MAX)

/**
 * The first `limit` of the numbers `0 .. count - 1` in an order, without sorting all of them.
 *
 * @param compare a total order
 */
export function* selectFirst(
  count: number,
  limit: number,
  compare: (a: number, b: number) => number,
  isTurnOver?: Pace['isTurnOver'],
): Steps<number[]> {
  const heap = firstHeap(count, limit, compare)
  if (heap.length > 0) {
    for (let i = limit; i < count; i++) {
      if (i % NUMBERS_PER_CHECK === 0 && isTurnOver?.() === true) yield
      if (compare(i, heap[0]!) < 0) replaceTop(heap, i, compare)
    }
  }
  return yield* sortInSteps(heap, compare, isTurnOver)
}

/**
 * The same by count, the largest first. Among values with the lowest count that qualifies, compares
 * before sorting.
 *
 * @param counts by number
 * @param compare a total order of those with the same count
 */
export function* selectByCount(
  counts: ArrayLike<number>,
  limit: number,
  compare: (a: number, b: number) => number,
  isTurnOver?: Pace['isTurnOver'],
): Steps<number[]> {
  if (limit < 1) return []
  const least = nthLargest(counts, limit)
  const above: number[] = []
  const equal: number[] = []
  for (let i = 0; i < counts.length; i++) {
    const count = counts[i]!
    if (count > least) above.push(i)
    else if (count === least) equal.push(i)
  }
  if (isTurnOver?.() === true) yield
  const sorted = yield* sortByCount(above, counts, compare, isTurnOver)
  const compareEqual = (a: number, b: number) => compare(equal[a]!, equal[b]!)
  for (const i of yield* selectFirst(
    equal.length,
    limit - above.length,
    compareEqual,
    isTurnOver,
  )) {
    sorted.push(equal[i]!)
  }
  return sorted
}

/**
 * Sorts numbers by their counts, the largest first. Plain numbers sort without calls, so each key
 * combines a count and a position; only equal counts are compared.
 */
function* sortByCount(
  numbers: readonly number[],
  counts: ArrayLike<number>,
  compare: (a: number, b: number) => number,
  isTurnOver: Pace['isTurnOver'],
): Steps<number[]> {
  const { length } = numbers
  const keys = length > INSERTED_MAX ? new Float64Array(length) : insertedKeys
  for (let i = 0; i < length; i++) keys[i] = counts[numbers[i]!]! * length + i
  if (length > INSERTED_MAX) keys.sort()
  else sortFirst(keys, length)
  const sorted: number[] = []
  for (let i = length - 1; i >= 0; i--) {
    const key = keys[i]!
    sorted.push(numbers[key - Math.floor(key / length) * length]!)
  }
  for (let start = 0; start < length;) {
    let end = start + 1
    while (end < length && counts[sorted[end]!] === counts[sorted[start]!]) end++
    if (end > start + TIES_INSERTED_MAX) {
      const equal = yield* sortInSteps(sorted.slice(start, end), compare, isTurnOver)
      for (let i = start; i < end; i++) sorted[i] = equal[i - start]!
    } else sortPart(sorted, start, end, compare)
    start = end
  }
  return sorted
}

/**
 * Insertion sort of the first `length` numbers: up to a hundred take a third of the time of `sort`.
 */
function sortFirst(numbers: Float64Array, length: number): void {
  for (let i = 1; i < length; i++) {
    const number = numbers[i]!
    let at = i
    for (; at > 0 && numbers[at - 1]! > number; at--) numbers[at] = numbers[at - 1]!
    numbers[at] = number
  }
}

/** Insertion sort of `from .. to - 1`: most counts belong to a few values. */
function sortPart(
  numbers: number[],
  from: number,
  to: number,
  compare: (a: number, b: number) => number,
): void {
  for (let i = from + 1; i < to; i++) {
    const number = numbers[i]!
    let at = i
    for (; at > from && compare(numbers[at - 1]!, number) > 0; at--) numbers[at] = numbers[at - 1]!
    numbers[at] = number
  }
}

/** The numbers `0 .. limit - 1`; if there are more, as a heap with the last in order on top. */
function firstHeap(
  count: number,
  limit: number,
  compare: (a: number, b: number) => number,
): number[] {
  const heap: number[] = []
  const kept = Math.min(count, limit)
  for (let i = 0; i < kept; i++) heap.push(i)
  if (count > limit) for (let i = (kept >> 1) - 1; i >= 0; i--) siftDown(heap, i, compare)
  return heap
}

/** Any better number replaces the last in order. */
function replaceTop(heap: number[], by: number, compare: (a: number, b: number) => number): void {
  heap[0] = by
  siftDown(heap, 0, compare)
}

function siftDown(heap: number[], start: number, compare: (a: number, b: number) => number): void {
  const moving = heap[start]!
  let at = start
  for (;;) {
    let child = at * 2 + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && compare(heap[child + 1]!, heap[child]!) > 0) child++
    if (compare(heap[child]!, moving) <= 0) break
    heap[at] = heap[child]!
    at = child
  }
  heap[at] = moving
}
