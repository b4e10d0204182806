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
  const heap: number[] = []
  if (limit <= 0) return heap
  const kept = Math.min(count, limit)
  for (let i = 0; i < kept; i++) heap.push(i)
  if (count > limit) {
    // The top of the heap is the last of those kept; any better one replaces it.
    for (let i = (kept >> 1) - 1; i >= 0; i--) siftDown(heap, i, compare)
    for (let i = limit; i < count; i++) {
      if (compare(i, heap[0]!) >= 0) continue
      heap[0] = i
      siftDown(heap, 0, compare)
    }
  }
  return heap.sort(compare)
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
