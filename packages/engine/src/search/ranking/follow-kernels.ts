import { findId } from '../../postings/find-id.ts'
import { BLOCK_BITS } from '../view/list-bits.ts'

/**
 * Inner loops over the lists of following slots (see slot-roles.ts): they read only document ids, 2
 * bytes per posting, and test them against a bitset of one window, which stays in the first-level
 * cache. Appending is branch-free (the entry is written, then kept or not), because no branch
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

/** Appends the documents of a list that are not in the set. @returns the new length of `touched` */
export function touchIds(
  ids: Uint16Array,
  from: number,
  to: number,
  seen: Uint32Array,
  touched: Uint16Array,
  touchedCount: number,
): number {
  let count = touchedCount
  for (let i = from; i < to; i++) {
    const id = ids[i]!
    const word = seen[id >>> 5]!
    touched[count] = id
    count += ((word >>> (id & 31)) & 1) ^ 1
    seen[id >>> 5] = word | (1 << (id & 31))
  }
  return count
}

/**
 * The same for some of the postings; the others are no more than read.
 * @param reaches by impact code: not 0 where a posting counts
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

/** Finds the postings whose documents are in the set. @returns how many were written to `hits` */
export function findHits(
  ids: Uint16Array,
  from: number,
  to: number,
  seen: Uint32Array,
  hits: Uint32Array,
): number {
  let count = 0
  for (let i = from; i < to; i++) {
    const id = ids[i]!
    hits[count] = i
    count += (seen[id >>> 5]! >>> (id & 31)) & 1
  }
  return count
}

/**
 * The same for few documents and a long list: looks up each document. `touched` has no document
 * twice.
 */
export function probeHits(
  ids: Uint16Array,
  from: number,
  to: number,
  touched: Uint16Array,
  touchedCount: number,
  hits: Uint32Array,
): number {
  let count = 0
  for (let i = 0; i < touchedCount; i++) {
    const posting = findId(ids, from, to, touched[i]!)
    if (posting >= 0) hits[count++] = posting
  }
  return count
}

/**
 * The same for a list with a bitset (see list-bits.ts).
 *
 * @param firstDoc first document of the window
 */
export function bitHits(
  bits: Uint32Array,
  blocks: Uint32Array,
  firstDoc: number,
  ids: Uint16Array,
  touched: Uint16Array,
  touchedCount: number,
  hits: Uint32Array,
): number {
  let count = 0
  for (let i = 0; i < touchedCount; i++) {
    const id = touched[i]!
    const docOrd = firstDoc + id
    if (((bits[docOrd >>> 5]! >>> (id & 31)) & 1) === 0) continue
    const block = docOrd >>> BLOCK_BITS
    hits[count++] = findId(ids, blocks[block]!, blocks[block + 1]!, id)
  }
  return count
}

/**
 * Keeps the documents of a list that are in the set `seen`, each once.
 * @returns the new length of `touched`
 */
export function keepIds(
  ids: Uint16Array,
  from: number,
  to: number,
  seen: Uint32Array,
  kept: Uint32Array,
  touched: Uint16Array,
  touchedCount: number,
): number {
  let count = touchedCount
  for (let i = from; i < to; i++) {
    const id = ids[i]!
    const bit = id & 31
    const isKept = (seen[id >>> 5]! & ~kept[id >>> 5]!) >>> bit
    touched[count] = id
    count += isKept & 1
    kept[id >>> 5]! |= (isKept & 1) << bit
  }
  return count
}

/** The same for a list with a bitset; to be called before other lists of the slot. */
export function keepIfInBits(
  bits: Uint32Array,
  firstDoc: number,
  set: Uint16Array,
  setCount: number,
  kept: Uint32Array,
  touched: Uint16Array,
): number {
  const firstWord = firstDoc >>> 5
  let count = 0
  for (let i = 0; i < setCount; i++) {
    const id = set[i]!
    const isKept = (bits[firstWord + (id >>> 5)]! >>> (id & 31)) & 1
    touched[count] = id
    count += isKept
    kept[id >>> 5]! |= isKept << (id & 31)
  }
  return count
}

/** The same for a small set and a long list: looks up each document of the set. */
export function probeIds(
  ids: Uint16Array,
  from: number,
  to: number,
  set: Uint16Array,
  setCount: number,
  kept: Uint32Array,
  touched: Uint16Array,
  touchedCount: number,
): number {
  let count = touchedCount
  for (let i = 0; i < setCount; i++) {
    const id = set[i]!
    if (findId(ids, from, to, id) < 0 || (kept[id >>> 5]! & (1 << (id & 31))) !== 0) continue
    kept[id >>> 5]! |= 1 << (id & 31)
    touched[count++] = id
  }
  return count
}

/**
 * `addMasked` and `addTable` of score-kernels.ts, for the postings in `hits`, whose documents are
 * all touched.
 */
export function addHits(
  ids: Uint16Array,
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
    const id = ids[posting]!
    scores[id] = (scores[id]! + ((factor * saturated[codes[posting]!]! + 0.5) | 0) + flags) | 0
  }
}

export function addMaskedHits(
  ids: Uint16Array,
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
    const id = ids[posting]!
    scores[id] = (scores[id]! + points + flagsByMask[mask]!) | 0
  }
}

/**
 * Lists the documents of a posting list that are not in the set yet, and adds them to it.
 * @returns the new count
 */
export function listUnseen(
  ids: Uint16Array,
  from: number,
  to: number,
  base: number,
  seen: Uint32Array,
  docs: Uint32Array,
  docCount: number,
): number {
  let count = docCount
  for (let i = from; i < to; i++) {
    const id = ids[i]!
    const word = seen[id >>> 5]!
    docs[count] = base + id
    count += ((word >>> (id & 31)) & 1) ^ 1
    seen[id >>> 5] = word | (1 << (id & 31))
  }
  return count
}

/** Keeps the documents that are in a bitset. @returns how many */
export function keepBits(docs: Uint32Array, count: number, bits: Uint32Array): number {
  let kept = 0
  for (let i = 0; i < count; i++) {
    const docOrd = docs[i]!
    docs[kept] = docOrd
    kept += (bits[docOrd >>> 5]! >>> (docOrd & 31)) & 1
  }
  return kept
}
