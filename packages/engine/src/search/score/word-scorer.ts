import { hasBit } from '../../codec/bitset.ts'
import { findId } from '../../postings/find-id.ts'
import { MASK_INDEX, SINGLE_FORM, WIDE_MASKS, WINDOW_BITS } from '../../postings/postings-format.ts'
import {
  INFIX_EVIDENCE,
  saturate,
  SHORT_PREFIX_EVIDENCE,
  WEIGHT_INFIX,
} from '../../scoring/formula.ts'
import { shortPrefixBits } from '../filters/word-bits.ts'
import { infixBits } from '../match/infix-bits.ts'
import { chunkAt } from '../match/list-cursor.ts'
import { slotLists, type SlotList, type SlotLists } from '../match/slot-lists.ts'
import { scratch } from '../match/window-scratch.ts'
import type { WordModel } from '../model/word-model.ts'
import type { EvidenceTable, SegmentView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import { bestQuality } from '../words/resolved-slot.ts'
import { gatherBits, gatherFew, gatherPhrase, type PhraseCursor } from './gather-documents.ts'
import { listHits } from './list-hits.ts'
import { addHits, addMaskedHits, gatherHits, gatherOne } from './score-kernels.ts'
import { maskTablesOf } from './slot-tables.ts'

/**
 * Adds the points of one query term to documents of one segment. A word usually has a main list
 * with nearly all of its postings: its documents are scored as if it were the only list, and the
 * few with another alternative are corrected afterwards.
 */
export class WordScorer {
  readonly #model: WordModel
  /** Number of the word. */
  readonly #word: number
  readonly #segment: SegmentView
  readonly #table: EvidenceTable
  readonly #lists: SlotLists
  readonly #main: SlotList | undefined
  readonly #phrases: PhraseCursor[]
  /** The documents that a short prefix matches, and those with a form that contains the word. */
  readonly #prefix: Uint32Array | undefined
  readonly #infix: Uint32Array | undefined

  constructor(run: SearchRun, model: WordModel, word: number, segmentIndex: number) {
    const { slot } = model
    const segment = run.view.segments[segmentIndex]!
    const { shortPrefix, infix, phrases } = slot
    this.#model = model
    this.#word = word
    this.#segment = segment
    this.#table = run.tables.of(segment)
    this.#lists = slotLists(slot, segment)
    this.#phrases = phrases.map(({ documents }) => ({
      documents: documents[segmentIndex]!,
      next: 0,
    }))
    this.#prefix = shortPrefix && shortPrefixBits(run, segment, shortPrefix.prefix, slot.slot.stem)
    this.#infix = infix && infixBits(run, infix, segment)
    this.#main = this.#prefix === undefined ? this.#lists.main : undefined
  }

  /** Scores the first `count` documents of the scratch memory, all of one window. */
  add(window: number, count: number): void {
    const main = this.#main
    const chunk = main === undefined ? -1 : chunkAt(this.#segment.reader, main, window)
    const inMain = chunk < 0 ? 0 : this.#addMain(main!, chunk, count)
    const strongCount = inMain > 0 && this.#isMainStrong ? inMain : 0
    let gathered = this.#gather(window, count, strongCount)
    if (this.#infix !== undefined && strongCount < count) {
      gathered = this.#gatherInfix(this.#infix, window, chunk, count, gathered)
    }
    this.#addGathered(chunk, gathered)
  }

  /** Whether every document of the main list has a strong alternative. */
  get #isMainStrong(): boolean {
    const { lists, strongCount } = this.#lists
    const main = this.#main!
    return main.isWhole && this.#table.isAllSearched && lists.indexOf(main) < strongCount
  }

  /** @returns number of documents with the main list; they are in `scratch.hitIds` */
  #addMain({ list, quality }: SlotList, chunk: number, count: number): number {
    const { scores, hits, hitIds, seen, touched } = scratch
    const { reader } = this.#segment
    const { codes } = reader
    const { saturated } = this.#table
    const model = this.#model
    const hitCount = listHits(this.#segment, list, chunk, seen, touched, count)
    const masks = reader.listMasks[list]!
    if (typeof quality === 'number' || masks >= SINGLE_FORM) {
      const q = typeof quality === 'number' ? quality : quality[masks & 31]!
      if (q > 0) {
        const flag = model.flag(q)
        addHits(hitIds, codes, hits, hitCount, saturated, model.factor(q), flag, scores)
      }
      return hitCount
    }
    if ((masks & WIDE_MASKS) !== 0) {
      for (let i = 0; i < hitCount; i++) {
        if (this.#matchesByMain(hits[i]!)) scores[hitIds[i]!]! += this.#addedByMain(hits[i]!)
      }
      return hitCount
    }
    const tables = maskTablesOf(this.#word)
    tables.fill(quality, model)
    addMaskedHits(
      hitIds,
      codes,
      reader.masks8,
      (masks & MASK_INDEX) - reader.listPosting[list]!,
      hits,
      hitCount,
      saturated,
      tables.factors,
      tables.flags,
      scores,
    )
    return hitCount
  }

  /**
   * Gathers the evidence of the other alternatives. For documents with a strong one, weak ones do
   * not count and their lists are not read: a prefix that is also a word has thousands of these.
   *
   * @param strongCount documents with a strong main list, in `scratch.hitIds`
   * @returns number of documents, in `scratch.slotTouched`
   */
  #gather(window: number, count: number, strongCount: number): number {
    const { seen, touched, rest, inRest } = scratch
    const { evidence } = this.#table
    const { lists, strongCount: weak, hasMixed, fewStrong, fewWeak } = this.#lists
    const hasOthers = lists.length > weak || fewWeak !== undefined
    const hasWeak = hasOthers && (hasMixed || strongCount < count)
    const restCount = hasWeak && !hasMixed && strongCount > 0 ? takeRest(count, strongCount) : 0
    let gathered = this.#gatherLists(0, weak, window, seen, touched, count, 0)
    gathered = gatherFew(fewStrong, window, evidence, seen, gathered)
    if (restCount > 0) {
      gathered = this.#gatherLists(weak, lists.length, window, inRest, rest, restCount, gathered)
      gathered = gatherFew(fewWeak, window, evidence, inRest, gathered)
      inRest.fill(0)
    } else if (hasWeak && (hasMixed || gathered < count)) {
      gathered = this.#gatherLists(weak, lists.length, window, seen, touched, count, gathered)
      gathered = gatherFew(fewWeak, window, evidence, seen, gathered)
    }
    for (const phrase of this.#phrases) gathered = gatherPhrase(phrase, window, gathered)
    if (this.#prefix === undefined) return gathered
    const { quality } = this.#model.slot.shortPrefix!
    return gatherBits(this.#prefix, window, SHORT_PREFIX_EVIDENCE, quality, count, gathered)
  }

  /** @param from, to range of the lists */
  #gatherLists(
    from: number,
    to: number,
    window: number,
    wanted: Uint32Array,
    wantedIds: Uint16Array,
    wantedCount: number,
    gathered: number,
  ): number {
    let count = gathered
    for (let i = from; i < to; i++) {
      const list = this.#lists.lists[i]!
      if (list === this.#main) continue
      const chunk = chunkAt(this.#segment.reader, list, window)
      if (chunk < 0) continue
      count = this.#gatherList(list, chunk, wanted, wantedIds, wantedCount, count)
    }
    return count
  }

  #gatherList(
    { list, quality }: SlotList,
    chunk: number,
    wanted: Uint32Array,
    wantedIds: Uint16Array,
    wantedCount: number,
    gathered: number,
  ): number {
    const { hits, hitIds, evidenceSums, qualities, slotTouched } = scratch
    const { reader } = this.#segment
    const { codes } = reader
    const { evidence } = this.#table
    const hitCount = listHits(this.#segment, list, chunk, wanted, wantedIds, wantedCount)
    const masks = reader.listMasks[list]!
    if (typeof quality === 'number' || masks >= SINGLE_FORM) {
      const q = typeof quality === 'number' ? quality : quality[masks & 31]!
      return gatherHits(
        hitIds,
        codes,
        hits,
        hitCount,
        evidence,
        q,
        evidenceSums,
        qualities,
        slotTouched,
        gathered,
      )
    }
    let count = gathered
    for (let i = 0; i < hitCount; i++) {
      const posting = hits[i]!
      const value = evidence[codes[posting]!]!
      const q = bestQuality(quality, reader.formMask(list, posting))
      if (value === 0 || q === 0) continue
      const id = hitIds[i]!
      if (qualities[id] === 0) slotTouched[count++] = id
      gatherOne(id, value, q, evidenceSums, qualities)
    }
    return count
  }

  /** Gathers documents that have the word only inside of others. */
  #gatherInfix(
    bits: Uint32Array,
    window: number,
    chunk: number,
    wantedCount: number,
    gathered: number,
  ): number {
    const { touched, evidenceSums, qualities, slotTouched } = scratch
    const base = window << WINDOW_BITS
    let count = gathered
    for (let i = 0; i < wantedCount; i++) {
      const id = touched[i]!
      if (qualities[id] !== 0 || !hasBit(bits, base + id)) continue
      const posting = this.#postingInMain(chunk, id)
      if (posting >= 0 && this.#matchesByMain(posting)) continue
      slotTouched[count++] = id
      gatherOne(id, INFIX_EVIDENCE, WEIGHT_INFIX, evidenceSums, qualities)
    }
    return count
  }

  /** Scores the gathered documents; rescores those of the main list with all their evidence. */
  #addGathered(chunk: number, gathered: number): void {
    const { scores, evidenceSums, qualities, slotTouched } = scratch
    const model = this.#model
    for (let i = 0; i < gathered; i++) {
      const id = slotTouched[i]!
      const posting = this.#postingInMain(chunk, id)
      let known = 0
      if (posting >= 0 && this.#matchesByMain(posting)) {
        known = this.#addedByMain(posting)
        const evidence = this.#table.evidence[this.#segment.reader.codes[posting]!]!
        gatherOne(id, evidence, this.#qualityInMain(posting), evidenceSums, qualities)
      }
      const added = model.added(qualities[id]!, saturate(evidenceSums[id]!))
      scores[id] = (scores[id]! - known + added) | 0
      evidenceSums[id] = 0
      qualities[id] = 0
    }
  }

  /** The posting of a document in a chunk of the main list; -1: none. @param chunk -1: none */
  #postingInMain(chunk: number, id: number): number {
    if (chunk < 0) return -1
    const { reader } = this.#segment
    return findId(reader.ids, reader.chunkStart(chunk), reader.chunkEnd[chunk]!, id)
  }

  #qualityInMain(posting: number): number {
    const { list, quality } = this.#main!
    if (typeof quality === 'number') return quality
    return bestQuality(quality, this.#segment.reader.formMask(list, posting))
  }

  #matchesByMain(posting: number): boolean {
    const { codes } = this.#segment.reader
    return this.#table.evidence[codes[posting]!]! > 0 && this.#qualityInMain(posting) > 0
  }

  /** What the main list alone adds to a document that matches by it. */
  #addedByMain(posting: number): number {
    const saturated = this.#table.saturated[this.#segment.reader.codes[posting]!]!
    return this.#model.added(this.#qualityInMain(posting), saturated)
  }
}

/**
 * Writes the documents that are not among the hits to `rest` and `inRest`.
 * @returns how many
 */
function takeRest(count: number, hitCount: number): number {
  const { seen, touched, hitIds, rest, inRest } = scratch
  inRest.set(seen)
  for (let i = 0; i < hitCount; i++) inRest[hitIds[i]! >>> 5]! &= ~(1 << (hitIds[i]! & 31))
  let kept = 0
  for (let i = 0; i < count; i++) {
    const id = touched[i]!
    rest[kept] = id
    kept += (inRest[id >>> 5]! >>> (id & 31)) & 1
  }
  return kept
}
