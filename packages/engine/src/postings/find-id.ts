/** Binary search. @returns the posting of a document among `from .. to - 1`, -1 if it has none */
export function findId(ids: Uint16Array, from: number, to: number, id: number): number {
  let low = from
  let high = to - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const other = ids[middle]!
    if (other === id) return middle
    if (other < id) low = middle + 1
    else high = middle - 1
  }
  return -1
}
