import { findId } from '../../postings/find-id.ts'
import { BLOCK_BITS, rankIn } from '../view/list-bits.ts'

/**
 * Inner loops that find the postings of wanted documents. They read only document ids, 2 bytes per
 * posting, and test them against a bitset of one window, which fits in the L1 cache. Appending is
 * branch-free (writes the entry, then keeps it or not), because no branch predictor can guess
 * whether a document is in the set.
 */

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
