/** Numbers up to here are told apart by how often each occurs. */
const BUCKETS = 1_024

/** Zeros between calls; one per thread, since a search never waits. */
const buckets = new Uint32Array(BUCKETS)

/**
 * The n-th largest of some numbers without sorting them: most counts of values are small, so most
 * are told by one look at each.
 *
 * @param numbers whole, 0 and more
 * @param n 1 and more
 * @returns 0 when there are fewer
 */
export function nthLargest(numbers: ArrayLike<number>, n: number): number {
  if (n > numbers.length) return 0
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i]!
    buckets[number < BUCKETS ? number : BUCKETS - 1]!++
  }
  let bucket = BUCKETS
  for (let seen = 0; seen < n;) seen += buckets[--bucket]!
  buckets.fill(0)
  return bucket < BUCKETS - 1 ? bucket : nthOfLarge(numbers, n)
}

/** The same by a heap with the least of the n largest on top. */
function nthOfLarge(numbers: ArrayLike<number>, n: number): number {
  const heap = Float64Array.from({ length: n }, (_, i) => numbers[i]!).sort()
  for (let i = n; i < numbers.length; i++) {
    const number = numbers[i]!
    if (number <= heap[0]!) continue
    let at = 0
    for (;;) {
      let child = at * 2 + 1
      if (child >= n) break
      if (child + 1 < n && heap[child + 1]! < heap[child]!) child++
      if (heap[child]! >= number) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = number
  }
  return heap[0]!
}
