/** Where a number is in a list in ascending order, by halving; -1 if it is not there. */
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
