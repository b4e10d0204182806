/**
 * FNV-1a (Fowler, Noll, Vo), 32 bits, over numbers: `fnvEnd` of `fnvNext` of each, from `FNV_START`
 * on. In steps, so that each caller loops over its own kind of array.
 */
export const FNV_START = 0x811c9dc5 | 0

export function fnvNext(hash: number, value: number): number {
  return Math.imul(hash ^ value, 0x01000193)
}

/** Mixes the low bits: tables of a power of two take those. */
export function fnvEnd(hash: number): number {
  return hash ^ (hash >>> 15)
}
