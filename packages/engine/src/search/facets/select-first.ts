/**
 * The first `limit` of the numbers `0 .. count - 1` in an order, without sorting all of them.
 *
 * @param compare a total order
 */
export function selectFirst(
  count: number,
  limit: number,
  compare: (a: number, b: number) => number,
): number[] {
  return selectByCount(count, limit, () => 0, compare)
}

/**
 * The same by a count, the largest first. Most numbers are turned away by their count alone.
 *
 * @param compare a total order of those with the same count
 */
export function selectByCount(
  count: number,
  limit: number,
  countOf: (i: number) => number,
  compare: (a: number, b: number) => number,
): number[] {
  const heap: number[] = []
  if (limit <= 0) return heap
  const byCount = (a: number, b: number) => countOf(b) - countOf(a) || compare(a, b)
  const kept = Math.min(count, limit)
  for (let i = 0; i < kept; i++) heap.push(i)
  if (count > limit) {
    // The top of the heap is the last of those kept; any better one replaces it.
    for (let i = (kept >> 1) - 1; i >= 0; i--) siftDown(heap, i, byCount)
    let least = countOf(heap[0]!)
    for (let i = limit; i < count; i++) {
      if (countOf(i) < least || byCount(i, heap[0]!) >= 0) continue
      heap[0] = i
      siftDown(heap, 0, byCount)
      least = countOf(heap[0])
    }
  }
  return heap.sort(byCount)
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
