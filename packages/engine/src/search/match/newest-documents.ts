import { hasBit, listBits, popcount, setBit } from '../../codec/bitset.ts'
import { insertedAt, insertedOf, type InsertionOrder } from '../../segment/insertion-order.ts'
import type { SegmentView } from '../view/index-view.ts'

/** Testing a document in the order of insertion costs as much as listing this many matches. */
const WALK_COST = 4
/** `listBits` writes this many at once. */
const LISTED_AT_ONCE = 4

/**
 * The documents of a segment that were inserted last, of equal documents the only ones that can
 * reach a page.
 *
 * @param set some of its documents; undefined: all
 * @param count how many are wanted
 * @returns these, or more, in any order
 */
export function newestOf(
  insertions: InsertionOrder,
  set: Uint32Array | undefined,
  count: number,
): Uint32Array {
  const { length: docCount } = insertions.keys
  const room = Math.max(0, Math.min(count, docCount))
  if (set === undefined) return firstBack(insertions, room)
  if (insertions.docOrds === undefined) return lastOf(set, room)
  const matches = popcount(set)
  const wanted = Math.min(room, matches)
  // Few matches among many documents.
  const isSparse = wanted * docCount * WALK_COST > matches * matches
  return isSparse ? listed(set, matches) : firstBack(insertions, wanted, set)
}

/** Keeps at least the `count` documents of a set that were inserted last. */
export function keepNewest(set: Uint32Array, insertions: InsertionOrder, count: number): void {
  const newest = newestOf(insertions, set, count)
  set.fill(0)
  for (const docOrd of newest) setBit(set, docOrd)
}

/**
 * By segment: whether all of its documents were inserted after those of all earlier segments. Then
 * nothing in these comes before them.
 */
export function laterSegments(segments: readonly SegmentView[]): boolean[] {
  let most = -Infinity
  return segments.map(({ reader: { insertions, docCount } }) => {
    const isLater = insertedOf(insertions, insertedAt(insertions, 0)) > most
    most = Math.max(most, insertedOf(insertions, insertedAt(insertions, docCount - 1)))
    return isLater
  })
}

/** @param wanted at most as many as there are */
function firstBack(insertions: InsertionOrder, wanted: number, set?: Uint32Array): Uint32Array {
  const docs = new Uint32Array(wanted)
  for (let place = insertions.keys.length - 1, filled = 0; filled < wanted; place--) {
    const docOrd = insertedAt(insertions, place)
    if (set === undefined || hasBit(set, docOrd)) docs[filled++] = docOrd
  }
  return docs
}

function listed(set: Uint32Array, matches: number): Uint32Array {
  const docs = new Uint32Array(matches + LISTED_AT_ONCE)
  return docs.subarray(0, listBits(set, 0, set.length, 0, docs))
}

/** The last documents of a set, the last first. */
function lastOf(set: Uint32Array, wanted: number): Uint32Array {
  const docs = new Uint32Array(wanted)
  let count = 0
  for (let word = set.length - 1; word >= 0 && count < wanted; word--) {
    let rest = set[word]!
    while (rest !== 0 && count < wanted) {
      const bit = 31 - Math.clz32(rest)
      docs[count++] = (word << 5) + bit
      rest &= ~(1 << bit)
    }
  }
  return docs.subarray(0, count)
}
