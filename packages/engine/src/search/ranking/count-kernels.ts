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

/**
 * Lists the documents of words of a bitset. Four are written at once, whether there are as many or
 * not (Lemire, "Really fast bitset decoding for average densities", 2019): how many a word has is
 * what no processor guesses.
 *
 * @param firstDoc the document of the first bit
 * @param docs with room for three more
 * @returns how many were written to `docs`
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
