/**
 * Zeroed counter arrays, kept for the next search of this thread: allocating one per facet and
 * segment costs more than counting the matches of a usual query.
 */

/** Maximum number of counters kept in all arrays: 16 MB. */
const KEPT_MAX = 2 ** 22
const LENGTH_MIN = 1024

/** Arrays are borrowed, so one list per thread is enough. */
const kept: ArrayBuffer[] = []
let keptLength = 0

/**
 * @returns `length` zeros. The borrower zeroes them after use and calls `giveBackCounts`; arrays of
 * an interrupted search are left to the garbage collector
 */
export function borrowCounts(length: number): Uint32Array<ArrayBuffer> {
  let capacity = LENGTH_MIN
  while (capacity < length) capacity *= 2
  const capacityBytes = capacity * Uint32Array.BYTES_PER_ELEMENT
  // Only exact sizes: larger arrays stay for those who need them.
  const at = kept.findLastIndex((buffer) => buffer.byteLength === capacityBytes)
  if (at >= 0) {
    const [buffer] = kept.splice(at, 1)
    keptLength -= capacity
    return new Uint32Array(buffer!, 0, length)
  }
  return new Uint32Array(new ArrayBuffer(capacityBytes), 0, length)
}

/** @param counts from `borrowCounts`, zeroed */
export function giveBackCounts(counts: Uint32Array<ArrayBuffer>): void {
  const { buffer } = counts
  const length = buffer.byteLength / Uint32Array.BYTES_PER_ELEMENT
  if (keptLength + length > KEPT_MAX) return
  keptLength += length
  kept.push(buffer)
}
