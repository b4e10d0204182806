/**
 * Arrays of zeros to count in, kept for the next search of this thread: making one for each facet
 * and segment cost more than counting the matches of a usual query.
 */

/** Numbers that are kept at most, over all arrays: 16 MB. */
const KEPT_MAX = 2 ** 22
const LENGTH_MIN = 1024

/** A search never waits, so one list per thread is enough. */
const kept: ArrayBuffer[] = []
let keptLength = 0

/**
 * @returns `length` zeros. Whoever is done with them zeroes them and calls `giveBack`; arrays of a
 *   search that was cut short are left to the garbage collector
 */
export function borrowCounts(length: number): Uint32Array<ArrayBuffer> {
  let capacity = LENGTH_MIN
  while (capacity < length) capacity *= 2
  const capacityBytes = capacity * Uint32Array.BYTES_PER_ELEMENT
  // None that is longer: those are left to who needs them.
  const at = kept.findLastIndex((buffer) => buffer.byteLength === capacityBytes)
  if (at >= 0) {
    const [buffer] = kept.splice(at, 1)
    keptLength -= capacity
    return new Uint32Array(buffer!, 0, length)
  }
  return new Uint32Array(new ArrayBuffer(capacityBytes), 0, length)
}

/** @param counts from `borrowCounts`, all zero again */
export function giveBackCounts(counts: Uint32Array<ArrayBuffer>): void {
  const { buffer } = counts
  const length = buffer.byteLength / Uint32Array.BYTES_PER_ELEMENT
  if (keptLength + length > KEPT_MAX) return
  keptLength += length
  kept.push(buffer)
}
