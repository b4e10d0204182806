/**
 * FNV-1a (Fowler, Noll, Vo), 32 bits, over numbers: `fnvEnd` of `fnvNext` of each, starting at
 * `FNV_START`. Separate steps let each caller loop over its kind of array.
 */
export const FNV_START = 0x811c9dc5 | 0

export function fnvNext(hash: number, value: number): number {
  return Math.imul(hash ^ value, 0x01000193)
}

/** Mixes the low bits, which hash tables of a power of two use. */
export function fnvEnd(hash: number): number {
  return hash ^ (hash >>> 15)
}
