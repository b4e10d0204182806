import { findId } from '../../postings/find-id.ts'
import { BLOCK_BITS, rankIn } from '../view/list-bits.ts'

/**
 * Inner loops over the lists of following slots (see match-strategy.ts). They read only document
 * ids, 2 bytes per posting, and test them against a bitset of one window, which fits in the L1
 * cache. Appending is branch-free (writes the entry, then keeps it or not), because no branch
 * predictor can guess whether a document is in the set.
 */

/**
 * Sets the bits of the first `touchedCount` documents and drops repeated ones.
 * @returns the new length
 */
export function markTouched(touched: Uint16Array, touchedCount: number, seen: Uint32Array): number {
  let count = 0
  for (let i = 0; i < touchedCount; i++) {
    const id = touched[i]!
    const word = seen[id >>> 5]!
    touched[count] = id
    count += ((word >>> (id & 31)) & 1) ^ 1
    seen[id >>> 5] = word | (1 << (id & 31))
  }
  return count
}

/**
 * Appends the documents of some of the postings that are not in the set; the others are only read.
 *
 * @param reaches by impact code: not 0 if a posting counts
 */
export function touchReaching(
  ids: Uint16Array,
  codes: Uint16Array | Uint32Array,
  from: number,
  to: number,
  reaches: Uint8Array,
  seen: Uint32Array,
  touched: Uint16Array,
  touchedCount: number,
): number {
  let count = touchedCount
  for (let i = from; i < to; i++) {
    if (reaches[codes[i]!] === 0) continue
    const id = ids[i]!
    const word = seen[id >>> 5]!
    touched[count] = id
    count += ((word >>> (id & 31)) & 1) ^ 1
    seen[id >>> 5] = word | (1 << (id & 31))
  }
  return count
}

/**
 * Finds the postings whose documents are in the set.
 * @returns number of entries written to `hits`, and their documents to `hitIds`
 */
export function findHits(
  ids: Uint16Array,
  from: number,
  to: number,
  seen: Uint32Array,
  hits: Uint32Array,
  hitIds: Uint16Array,
): number {
  let count = 0
  for (let i = from; i < to; i++) {
    const id = ids[i]!
    hits[count] = i
    hitIds[count] = id
    count += (seen[id >>> 5]! >>> (id & 31)) & 1
  }
  return count
}

/**
 * The same for few documents and a long list: looks up each document. `touched` has no duplicates.
 */
export function probeHits(
  ids: Uint16Array,
  from: number,
  to: number,
  touched: Uint16Array,
  touchedCount: number,
  hits: Uint32Array,
  hitIds: Uint16Array,
): number {
  let count = 0
  for (let i = 0; i < touchedCount; i++) {
    const id = touched[i]!
    const posting = findId(ids, from, to, id)
    if (posting < 0) continue
    hits[count] = posting
    hitIds[count++] = id
  }
  return count
}

/**
 * The same for a list with a bitset (see list-bits.ts), without reading the list.
 *
 * @param firstDoc first document of the window
 */
export function bitHits(
  bits: Uint32Array,
  blocks: Uint32Array,
  firstDoc: number,
  touched: Uint16Array,
  touchedCount: number,
  hits: Uint32Array,
  hitIds: Uint16Array,
): number {
  let count = 0
  for (let i = 0; i < touchedCount; i++) {
    const id = touched[i]!
    hitIds[count] = id
    count += (bits[(firstDoc + id) >>> 5]! >>> (id & 31)) & 1
  }
  for (let i = 0; i < count; i++) {
    const docOrd = firstDoc + hitIds[i]!
    hits[i] = blocks[docOrd >>> BLOCK_BITS]! + rankIn(bits, docOrd)
  }
  return count
}

/**
 * `addMasked` and `addTable` of score-kernels.ts, for the postings in `hits`, whose documents are
 * all touched.
 */
export function addHits(
  hitIds: Uint16Array,
  codes: Uint16Array | Uint32Array,
  hits: Uint32Array,
  hitCount: number,
  saturated: Float32Array,
  factor: number,
  flags: number,
  scores: Int32Array,
): void {
  for (let i = 0; i < hitCount; i++) {
    const posting = hits[i]!
    const id = hitIds[i]!
    scores[id] = (scores[id]! + ((factor * saturated[codes[posting]!]! + 0.5) | 0) + flags) | 0
  }
}

export function addMaskedHits(
  hitIds: Uint16Array,
  codes: Uint16Array | Uint32Array,
  masks: Uint8Array,
  maskOffset: number,
  hits: Uint32Array,
  hitCount: number,
  saturated: Float32Array,
  factorByMask: Float64Array,
  flagsByMask: Int32Array,
  scores: Int32Array,
): void {
  for (let i = 0; i < hitCount; i++) {
    const posting = hits[i]!
    const mask = masks[maskOffset + posting]!
    const points = (factorByMask[mask]! * saturated[codes[posting]!]! + 0.5) | 0
    const id = hitIds[i]!
    scores[id] = (scores[id]! + points + flagsByMask[mask]!) | 0
  }
}

/** Keeps the documents that are in a bitset. @returns number of documents kept */
export function keepBits(docs: Uint32Array, count: number, bits: Uint32Array): number {
  let kept = 0
  for (let i = 0; i < count; i++) {
    const docOrd = docs[i]!
    docs[kept] = docOrd
    kept += (bits[docOrd >>> 5]! >>> (docOrd & 31)) & 1
  }
  return kept
}
