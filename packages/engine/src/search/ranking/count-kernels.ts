/**
 * Inner loops of counting: sets of one window, a bit per document. Branch-free, because no branch
 * predictor can guess whether a document is in the set.
 */

/** Adds the documents of a list to the set. @returns how many were not in it */
export function addIds(ids: Uint16Array, from: number, to: number, set: Uint32Array): number {
  let count = 0
  for (let i = from; i < to; i++) {
    const id = ids[i]!
    const word = set[id >>> 5]!
    const bit = 1 << (id & 31)
    count += ((word >>> (id & 31)) & 1) ^ 1
    set[id >>> 5] = word | bit
  }
  return count
}

/**
 * Adds the documents of a list that hold one of some forms. @returns how many were not in the set
 *
 * @param maskOffset index of the mask of posting 0
 * @param wanted mask of these forms
 */
export function addForms(
  ids: Uint16Array,
  masks: Uint8Array | Uint32Array,
  maskOffset: number,
  from: number,
  to: number,
  wanted: number,
  set: Uint32Array,
): number {
  let count = 0
  for (let i = from; i < to; i++) {
    if ((masks[maskOffset + i]! & wanted) === 0) continue
    const id = ids[i]!
    const word = set[id >>> 5]!
    count += ((word >>> (id & 31)) & 1) ^ 1
    set[id >>> 5] = word | (1 << (id & 31))
  }
  return count
}

/**
 * Adds the documents of a bitset to the set. Counts bits as in `popcount` of bitset.ts.
 * @param firstWord of the window
 * @returns how many were not in it
 */
export function addWords(
  bits: Uint32Array,
  firstWord: number,
  wordCount: number,
  set: Uint32Array,
): number {
  let count = 0
  for (let i = 0; i < wordCount; i++) {
    const other = bits[firstWord + i]!
    const word = set[i]!
    let v = other & ~word
    set[i] = word | other
    v -= (v >>> 1) & 0x55555555
    v = (v & 0x33333333) + ((v >>> 2) & 0x33333333)
    count += Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
  }
  return count
}

/** Lists the documents of a set of one window. @returns how many were written to `docs` */
export function listBits(set: Uint32Array, firstDoc: number, docs: Uint32Array): number {
  let count = 0
  for (let i = 0; i < set.length; i++) {
    for (let rest = set[i]!; rest !== 0; rest &= rest - 1) {
      docs[count++] = firstDoc + (i << 5) + 31 - Math.clz32(rest & -rest)
    }
  }
  return count
}
