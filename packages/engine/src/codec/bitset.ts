/**
 * One bit per document ordinal, 32 per word. Plain functions over Uint32Array, because they run in
 * inner loops.
 */

/** Words of a bitset of this many bits. */
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

/** Bits set in words `from .. to - 1`. */
export function popcount(bits: Uint32Array, from = 0, to = bits.length): number {
  let count = 0
  for (let i = from; i < to; i++) count += popcount32(bits[i]!)
  return count
}

/** Bits set in a word (Warren, "Hacker's Delight", 2nd ed., 2012, 5-1). */
export function popcount32(word: number): number {
  let v = (word | 0) - ((word >>> 1) & 0x55555555)
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333)
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/**
 * Lists the documents of some words of a bitset. Writes four at a time, even where a word has fewer
 * bits, because no branch predictor can guess their number (Lemire, "Really fast bitset decoding
 * for average densities", 2019).
 *
 * @param firstDoc the document of the first bit
 * @param docs with room for three extra entries
 * @returns number of documents written to `docs`
 */
export function listBits(
  set: Uint32Array,
  from: number,
  to: number,
  firstDoc: number,
  docs: Uint32Array,
): number {
  let count = 0
  for (let i = from; i < to; i++) {
    const word = set[i]! | 0
    if (word === 0) continue
    const last = firstDoc + ((i - from) << 5) + 31
    let v = word - ((word >>> 1) & 0x55555555)
    v = (v & 0x33333333) + ((v >>> 2) & 0x33333333)
    const end = count + (Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24)
    let rest = word
    for (let at = count; at < end; at += 4) {
      docs[at] = last - Math.clz32(rest & -rest)
      rest &= rest - 1
      docs[at + 1] = last - Math.clz32(rest & -rest)
      rest &= rest - 1
      docs[at + 2] = last - Math.clz32(rest & -rest)
      rest &= rest - 1
      docs[at + 3] = last - Math.clz32(rest & -rest)
      rest &= rest - 1
    }
    count = end
  }
  return count
}
