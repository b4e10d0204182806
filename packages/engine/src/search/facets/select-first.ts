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
  const heap = firstHeap(count, limit, compare)
  if (heap.length > 0) {
    for (let i = limit; i < count; i++) if (compare(i, heap[0]!) < 0) replaceTop(heap, i, compare)
  }
  return heap.sort(compare)
}

/**
 * The same by a count, the largest first. Most numbers are turned away by their count alone.
 *
 * @param counts by number
 * @param compare a total order of those with the same count
 */
export function selectByCount(
  counts: ArrayLike<number>,
  limit: number,
  compare: (a: number, b: number) => number,
): number[] {
  const { length } = counts
  const byCount = (a: number, b: number) => counts[b]! - counts[a]! || compare(a, b)
  const heap = firstHeap(length, limit, byCount)
  if (heap.length > 0) {
    let least = counts[heap[0]!]!
    for (let i = limit; i < length; i++) {
      if (counts[i]! < least || byCount(i, heap[0]!) >= 0) continue
      replaceTop(heap, i, byCount)
      least = counts[heap[0]!]!
    }
  }
  return heap.sort(byCount)
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
