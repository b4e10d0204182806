import { clearBit, popcount } from '../../codec/bitset.ts'
import {
  MASK_INDEX,
  SINGLE_FORM,
  WIDE_MASKS,
  WINDOW_BITS,
  WINDOW_SIZE,
} from '../../postings/postings-format.ts'
import { INFIX_EVIDENCE, saturate, slotPoints, WEIGHT_INFIX } from '../../scoring/formula.ts'
import type { EvidenceTable, IndexView, SegmentView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { InfixForms, ResolvedSlot } from '../words/resolved-slot.ts'
import { bestQuality } from '../words/resolved-slot.ts'
import type { SlotFlags } from './slot-tables.ts'
import type { WindowScratch } from './window-scratch.ts'

/** Postings read between two deadline checks, roughly. */
const POSTINGS_PER_CHECK = 65_536
/** From this many postings on, it pays to check whether all forms of a list match. */
const LONG_LIST = 256

/** Documents of a segment that have a word only inside other words. All get the same points. */
export class InfixDocuments {
  #bits: Uint32Array
  readonly #points: number

  /** @param bits documents in which nothing better stands for the word */
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
   * @returns the number of allowed documents that were dropped
   */
  keepNewest(rank: number, allowed: Uint32Array | undefined): number {
    const newest = new Uint32Array(this.#bits.length)
    let kept = 0
    let leftOut = 0
    for (let word = newest.length - 1; word >= 0; word--) {
      newest[word] = this.#bits[word]! & (allowed === undefined ? -1 : allowed[word]!)
      const count = popcount(newest, word, word + 1)
      if (kept < rank) kept += count
      else {
        leftOut += count
        newest[word] = 0
      }
    }
    this.#bits = newest
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
 * The documents with a form that holds the word, except those with a better alternative.
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
    bits = unionOf(run, segment, slot.infix!, table)
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

/** Documents with one of the forms whose stem group is in a searched field. */
function unionOf(
  run: SearchRun,
  segment: SegmentView,
  { forms }: InfixForms,
  { evidence, isAllSearched }: EvidenceTable,
): Uint32Array {
  const { checkDeadline } = run
  const { terms } = run.view
  const { reader } = segment
  const bits = segment.emptyBits()
  const formMasks = new Map<number, number>()
  for (const form of forms) {
    const group = terms.groupOf(form)
    formMasks.set(group, (formMasks.get(group) ?? 0) | (1 << terms.numberOf(form)))
  }
  let postings = 0
  for (const [group, formMask] of formMasks) {
    const list = reader.listOf(group)
    if (list < 0) continue
    const masks = reader.listMasks[list]!
    const isOneForm = masks >= SINGLE_FORM
    if (isOneForm && ((1 << (masks & 31)) & formMask) === 0) continue
    const first = reader.listPosting[list]!
    const length = reader.listPosting[list + 1]! - first
    // "green", "greens", "greener" all hold "ree", so the masks need not be checked.
    const isWhole =
      isOneForm || (length >= LONG_LIST && holdsAll(formMask, terms.formsOf(group), terms))
    postings += length
    if (postings >= POSTINGS_PER_CHECK) {
      checkDeadline()
      postings = 0
    }
    const listMasks = (masks & WIDE_MASKS) !== 0 ? reader.masks32 : reader.masks8
    const maskOffset = (masks & MASK_INDEX) - first
    const { ids, codes } = reader
    for (let chunk = reader.listChunk[list]!; chunk < reader.listChunk[list + 1]!; chunk++) {
      const base = reader.chunkWindow[chunk]! << WINDOW_BITS
      const from = reader.chunkStart(chunk)
      const to = reader.chunkEnd[chunk]!
      if (isWhole && isAllSearched) addAll(ids, from, to, base, bits)
      else if (isWhole) addSearched(ids, codes, from, to, evidence, base, bits)
      else addForms(ids, codes, from, to, evidence, base, bits, listMasks, maskOffset, formMask)
    }
  }
  return bits
}

function holdsAll(formMask: number, forms: readonly number[], terms: IndexView['terms']): boolean {
  return forms.every((form) => (formMask & (1 << terms.numberOf(form))) !== 0)
}

// Inner loops: plain functions over typed arrays, called once per chunk.

function addAll(ids: Uint16Array, from: number, to: number, base: number, bits: Uint32Array): void {
  for (let i = from; i < to; i++) {
    const docOrd = base + ids[i]!
    bits[docOrd >>> 5]! |= 1 << (docOrd & 31)
  }
}

/** Sets the bits of the postings in a searched field. */
function addSearched(
  ids: Uint16Array,
  codes: Uint16Array | Uint32Array,
  from: number,
  to: number,
  evidence: Float32Array,
  base: number,
  bits: Uint32Array,
): void {
  for (let i = from; i < to; i++) {
    if (evidence[codes[i]!] === 0) continue
    const docOrd = base + ids[i]!
    bits[docOrd >>> 5]! |= 1 << (docOrd & 31)
  }
}

/** The same for those with a form of the mask. */
function addForms(
  ids: Uint16Array,
  codes: Uint16Array | Uint32Array,
  from: number,
  to: number,
  evidence: Float32Array,
  base: number,
  bits: Uint32Array,
  masks: Uint8Array | Uint32Array,
  maskOffset: number,
  formMask: number,
): void {
  for (let i = from; i < to; i++) {
    if ((masks[maskOffset + i]! & formMask) === 0 || evidence[codes[i]!] === 0) continue
    const docOrd = base + ids[i]!
    bits[docOrd >>> 5]! |= 1 << (docOrd & 31)
  }
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
 * Adds the same points to every document of a window whose bit is set. The slot has scored none of
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
