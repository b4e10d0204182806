/** The index of a number in an ascending list, by binary search; -1 if absent. */
export function placeIn(sorted: ArrayLike<number>, number: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! < number) low = middle + 1
    else high = middle
  }
  return sorted[low] === number ? low : -1
}
