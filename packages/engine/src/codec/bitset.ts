/**
 * One bit per document ordinal, 32 to a word. Plain functions over Uint32Array, because they run in
 * hot loops.
 */

export function wordCount(bitCount: number): number {
  return (bitCount + 31) >>> 5
}

export function newBitset(bitCount: number): Uint32Array {
  return new Uint32Array(wordCount(bitCount))
}

export function hasBit(bits: Uint32Array, index: number): boolean {
  return ((bits[index >>> 5]! >>> (index & 31)) & 1) === 1
}

export function setBit(bits: Uint32Array, index: number): void {
  bits[index >>> 5]! |= 1 << (index & 31)
}

export function clearBit(bits: Uint32Array, index: number): void {
  bits[index >>> 5]! &= ~(1 << (index & 31))
}

/** Sets bits `0 .. bitCount - 1` and clears the rest of the last word. */
export function fillBits(bits: Uint32Array, bitCount: number): void {
  bits.fill(0xffffffff, 0, bitCount >>> 5)
  if ((bitCount & 31) !== 0) bits[bitCount >>> 5] = 2 ** (bitCount & 31) - 1
}

/** `target &= other`; both have the same length. */
export function andInto(target: Uint32Array, other: Uint32Array): void {
  for (let i = 0; i < target.length; i++) target[i]! &= other[i]!
}

/** `target |= other`; both have the same length. */
export function orInto(target: Uint32Array, other: Uint32Array): void {
  for (let i = 0; i < target.length; i++) target[i]! |= other[i]!
}

/** Flips bits `0 .. bitCount - 1`. */
export function invert(target: Uint32Array, bitCount: number): void {
  for (let i = 0; i < target.length; i++) target[i] = ~target[i]!
  if ((bitCount & 31) !== 0) target[bitCount >>> 5]! &= 2 ** (bitCount & 31) - 1
}

/** Bits set in words `from .. to - 1` (Warren, "Hacker's Delight", 2nd ed., 2012, 5-1). */
export function popcount(bits: Uint32Array, from = 0, to = bits.length): number {
  let count = 0
  for (let i = from; i < to; i++) {
    let v = bits[i]!
    v -= (v >>> 1) & 0x55555555
    v = (v & 0x33333333) + ((v >>> 2) & 0x33333333)
    count += Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
  }
  return count
}
