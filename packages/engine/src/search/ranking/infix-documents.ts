import { clearBit } from '../../codec/bitset.ts'
import { WINDOW_BITS, WINDOW_SIZE } from '../../postings/postings-format.ts'
import { INFIX_EVIDENCE, saturate, slotPoints, WEIGHT_INFIX } from '../../scoring/formula.ts'
import { documentsWithForms, formMasks } from '../filters/form-union.ts'
import type { IndexView, SegmentView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { InfixForms, ResolvedSlot } from '../words/resolved-slot.ts'
import { bestQuality } from '../words/resolved-slot.ts'
import { newestDocuments } from './newest-documents.ts'
import type { SlotFlags } from './slot-tables.ts'
import type { WindowScratch } from './window-scratch.ts'

/** Documents of a segment with a word only inside other words. All get the same points. */
export class InfixDocuments {
  #bits: Uint32Array
  readonly #points: number

  /** @param bits documents without a better alternative of the word */
  constructor(bits: Uint32Array, slotWeight: number, flags: SlotFlags) {
    this.#bits = bits
    const flag = WEIGHT_INFIX >= flags.countedMin ? flags.counted : flags.uncounted
    this.#points = slotPoints(slotWeight, WEIGHT_INFIX, saturate(INFIX_EVIDENCE)) + flag
  }

  /**
   * Keeps only the newest documents, for a query of this word alone: all score the same, so no
   * others can reach the page.
   *
   * @param rank how many can reach the page
   * @param allowed documents that may match; undefined: all
   * @returns number of allowed documents dropped
   */
  keepNewest(rank: number, allowed: Uint32Array | undefined): number {
    const { bits, leftOut } = newestDocuments(this.#bits, rank, allowed)
    this.#bits = bits
    return leftOut
  }

  /**
   * Scores the documents of a window, after all other alternatives of the slot.
   * @returns the new length of `touched`
   */
  score(window: number, { scores, touched }: WindowScratch, touchedCount: number): number {
    return addBits(this.#bits, window, this.#points, scores, touched, touchedCount)
  }
}

/**
 * The documents with a form that contains the word, except those with a better alternative.
 *
 * @param prefixBits documents with a short prefix of the slot, if it has one
 */
export function findInfixDocuments(
  run: SearchRun,
  slot: ResolvedSlot,
  flags: SlotFlags,
  segmentIndex: number,
  prefixBits: Uint32Array | undefined,
): InfixDocuments {
  const bits = documentsWithInfix(run, slot, segmentIndex, prefixBits)
  return new InfixDocuments(bits, slot.weight, flags)
}

/** A frequent infix leads to thousands of lists, so their union is cached per segment. */
function documentsWithInfix(
  run: SearchRun,
  slot: ResolvedSlot,
  segmentIndex: number,
  prefixBits: Uint32Array | undefined,
): Uint32Array {
  const { view, tables, checkDeadline } = run
  const segment = view.segments[segmentIndex]!
  const table = tables.of(segment)
  const key = `*${slot.infix!.texts.join('*')} ${tables.key}`
  let bits = segment.wordBits.get(key)
  if (bits === undefined) {
    bits = documentsWithForms(run, segment, masksOf(view, slot.infix!), table)
    segment.wordBits.set(key, bits)
  }
  if (slot.groups.length === 0 && slot.phrases.length === 0 && prefixBits === undefined) return bits
  const rest =
    prefixBits === undefined ? bits.slice() : bits.map((word, i) => word & ~prefixBits[i]!)
  for (const { group, quality } of slot.groups) {
    const list = segment.reader.listOf(group)
    if (list < 0) continue
    checkDeadline()
    removeMatches(segment, list, quality, table.evidence, rest)
  }
  for (const { documents } of slot.phrases) {
    for (const docOrd of documents[segmentIndex]!.docOrds) clearBit(rest, docOrd)
  }
  return rest
}

/** Cached, because a search visits one segment after the other. */
const masksOfForms = new WeakMap<InfixForms, ReadonlyMap<number, number>>()

function masksOf(view: IndexView, infix: InfixForms): ReadonlyMap<number, number> {
  let masks = masksOfForms.get(infix)
  if (masks === undefined) masksOfForms.set(infix, (masks = formMasks(view, infix.forms)))
  return masks
}

/** Removes the documents in which a stem group matches. */
function removeMatches(
  { reader }: SegmentView,
  list: number,
  quality: Float64Array | number,
  evidence: Float32Array,
  bits: Uint32Array,
): void {
  for (let chunk = reader.listChunk[list]!; chunk < reader.listChunk[list + 1]!; chunk++) {
    const base = reader.chunkWindow[chunk]! << WINDOW_BITS
    const end = reader.chunkEnd[chunk]!
    for (let i = reader.chunkStart(chunk); i < end; i++) {
      if (evidence[reader.codes[i]!] === 0) continue
      if (typeof quality !== 'number' && bestQuality(quality, reader.formMask(list, i)) === 0) {
        continue
      }
      clearBit(bits, base + reader.ids[i]!)
    }
  }
}

/**
 * Adds the same points to every document of a window whose bit is set. The slot has not scored
 * these documents before.
 *
 * @param points with their flags, see `score-kernels.ts`
 * @returns the new length of `touched`
 */
function addBits(
  bits: Uint32Array,
  window: number,
  points: number,
  scores: Int32Array,
  touched: Uint16Array,
  touchedCount: number,
): number {
  if (points === 0) return touchedCount
  let count = touchedCount
  const firstWord = (window << WINDOW_BITS) >>> 5
  const lastWord = Math.min(bits.length, firstWord + (WINDOW_SIZE >>> 5))
  for (let word = firstWord; word < lastWord; word++) {
    for (let rest = bits[word]!; rest !== 0; rest &= rest - 1) {
      const id = ((word - firstWord) << 5) + 31 - Math.clz32(rest & -rest)
      const before = scores[id]!
      if (before === 0) touched[count++] = id
      scores[id] = (before + points) | 0
    }
  }
  return count
}
