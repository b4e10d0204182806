/** Numbers below this are counted by value. */
const BUCKETS = 1_024

/** Zeros between calls. */
const buckets = new Uint32Array(BUCKETS)

/**
 * The n-th largest number without sorting: most facet counts are small, so counting them by value
 * decides most calls in one pass.
 *
 * @param numbers integers >= 0
 * @param n >= 1
 * @returns 0 if there are fewer
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

/** The same with a heap that has the smallest of the n largest on top. */
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
