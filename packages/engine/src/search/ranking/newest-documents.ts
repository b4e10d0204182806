import { newBitset, popcount, setBit } from '../../codec/bitset.ts'
import type { IndexView, SegmentView } from '../view/index-view.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import { unitedLists } from './slot-lists.ts'
import { addList, addShortLists } from './united-lists.ts'

/** The newest documents of a set with equal scores: no others can reach the page. */
export interface NewestDocuments {
  readonly bits: Uint32Array
  /** Number of allowed documents dropped. */
  readonly leftOut: number
}

/**
 * @param rank how many can reach the page
 * @param allowed documents that may match; undefined: all
 */
export function newestDocuments(
  bits: Uint32Array,
  rank: number,
  allowed: Uint32Array | undefined,
): NewestDocuments {
  const newest = new Uint32Array(bits.length)
  let kept = 0
  let word = newest.length - 1
  for (; word >= 0 && kept < rank; word--) {
    newest[word] = bits[word]! & (allowed === undefined ? -1 : allowed[word]!)
    kept += popcount(newest, word, word + 1)
  }
  let leftOut = 0
  if (allowed === undefined) leftOut = popcount(bits, 0, word + 1)
  else {
    const rest = bits.slice(0, word + 1)
    for (let i = 0; i < rest.length; i++) rest[i]! &= allowed[i]!
    leftOut = popcount(rest)
  }
  return { bits: newest, leftOut }
}

/**
 * The newest of the documents that have only the short prefix of a slot, and those that have more.
 *
 * @param prefixBits documents of the segment with the prefix
 */
export function newestWithPrefix(
  view: IndexView,
  slot: ResolvedSlot,
  segmentIndex: number,
  prefixBits: Uint32Array,
  rank: number,
  allowed: Uint32Array | undefined,
): NewestDocuments {
  const segment = view.segments[segmentIndex]!
  const withMore = documentsOf(view, slot, segment, segmentIndex)
  const alone = prefixBits.map((word, i) => word & ~withMore[i]!)
  const { bits, leftOut } = newestDocuments(alone, rank, allowed)
  for (let i = 0; i < bits.length; i++) bits[i]! |= prefixBits[i]! & withMore[i]!
  return { bits, leftOut }
}

/** The documents with a list or a phrase of a slot. */
function documentsOf(
  view: IndexView,
  slot: ResolvedSlot,
  segment: SegmentView,
  segmentIndex: number,
): Uint32Array {
  const bits = newBitset(segment.reader.docCount)
  const united = unitedLists(view, slot, segment)
  for (const list of united.lists) addList(segment, list, bits, 0)
  addShortLists(united, bits, 0)
  for (const { documents } of slot.phrases) {
    for (const docOrd of documents[segmentIndex]!.docOrds) setBit(bits, docOrd)
  }
  return bits
}
