import { MASK_INDEX, SINGLE_FORM, WIDE_MASKS } from '../../postings/postings-format.ts'
import type { SegmentReader } from '../../segment/segment-reader.ts'
import type { EvidenceTable, SegmentView } from '../view/index-view.ts'
import { bestQuality, type PhraseDocuments, type ResolvedSlot } from '../words/resolved-slot.ts'
import { fewCount, gatherFew, type FewPostings } from './few-postings.ts'
import { gatherBits, gatherBitsAmong, gatherPhrase } from './gather-documents.ts'
import { chunkAt, type ListCursor } from './list-cursor.ts'
import { listHits } from './list-hits.ts'
import {
  gatherHits,
  gatherMasks,
  gatherOne,
  gatherUniform,
  gatherWideMasks,
} from './score-kernels.ts'
import { slotLists, type SlotList } from './slot-lists.ts'
import { qualitiesByMask } from './slot-tables.ts'
import type { WindowScratch } from './window-scratch.ts'

/** Minimum number of postings for a table of the qualities of all masks. */
const MASK_TABLE_POSTINGS_MIN = 128

/** A list this many times as long as the others together is scored separately. */
const MAIN_LIST_RATIO = 8

/**
 * The alternatives of one slot in one segment: gathers their evidence and the best quality by
 * document, window by window in ascending order, into the scratch memory, with the documents in
 * `slotTouched`.
 */
export class SlotGatherer {
  readonly #slot: ResolvedSlot
  readonly #segment: SegmentView
  readonly #reader: SegmentReader
  readonly #table: EvidenceTable
  /** Strong ones first. */
  readonly #cursors: readonly SlotList[]
  readonly #strongCount: number
  readonly #fewStrong: FewPostings | undefined
  readonly #fewWeak: FewPostings | undefined
  /** One of them that is scored separately. */
  #taken: SlotList | undefined
  /** The best quality by form mask of long lists, computed on demand: see `qualitiesByMask`. */
  #byMask: Map<ListCursor, Float64Array> | undefined
  readonly #phrases: { readonly documents: PhraseDocuments; next: number }[]
  /** Documents of the segment that a short prefix matches. */
  readonly prefixBits: Uint32Array | undefined

  constructor(
    slot: ResolvedSlot,
    segment: SegmentView,
    segmentIndex: number,
    table: EvidenceTable,
    prefixBits: Uint32Array | undefined,
  ) {
    this.#slot = slot
    this.#segment = segment
    this.#reader = segment.reader
    this.#table = table
    this.prefixBits = prefixBits
    this.#phrases = slot.phrases.map(({ documents }) => ({
      documents: documents[segmentIndex]!,
      next: 0,
    }))
    const { lists, strongCount, fewStrong, fewWeak } = slotLists(slot, segment)
    this.#cursors = lists
    this.#strongCount = strongCount
    this.#fewStrong = fewStrong
    this.#fewWeak = fewWeak
  }

  /** Whether nothing in the segment can match. */
  get isEmpty(): boolean {
    return (
      this.#cursors.length === (this.#taken === undefined ? 0 : 1) &&
      this.#fewStrong === undefined &&
      this.#fewWeak === undefined &&
      this.prefixBits === undefined &&
      this.#phrases.every(({ documents }) => documents.docOrds.length === 0)
    )
  }

  /** Takes the list of a following slot out of the cursors. */
  takeList(group: number): SlotList | undefined {
    return this.#take(this.#cursors.find((cursor) => cursor.group === group))
  }

  /**
   * Takes the one list with nearly all postings of the slot out of the cursors. Its documents are
   * scored as if it were the only list; the few with another alternative are corrected afterwards.
   */
  takeMain(): SlotList | undefined {
    if (this.prefixBits !== undefined || this.#cursors.length === 0) return undefined
    const sizeOf = ({ list }: ListCursor) =>
      this.#reader.listPosting[list + 1]! - this.#reader.listPosting[list]!
    let largest = 0
    let total = fewCount(this.#fewStrong) + fewCount(this.#fewWeak)
    this.#cursors.forEach((cursor, i) => {
      total += sizeOf(cursor)
      if (sizeOf(cursor) > sizeOf(this.#cursors[largest]!)) largest = i
    })
    for (const { documents } of this.#phrases) total += documents.docOrds.length
    const main = this.#cursors[largest]!
    const masks = this.#reader.listMasks[main.list]!
    const isWide = masks < SINGLE_FORM && (masks & WIDE_MASKS) !== 0
    const rest = total - sizeOf(main)
    if (rest * MAIN_LIST_RATIO > sizeOf(main) || (isWide && typeof main.quality !== 'number')) {
      return undefined
    }
    return this.#take(main)
  }

  /** Whether all forms of the list are strong. */
  isStrong(list: SlotList): boolean {
    return this.#cursors.indexOf(list) < this.#strongCount
  }

  #take(list: SlotList | undefined): SlotList | undefined {
    this.#taken = list
    return list
  }

  /** Gathers the evidence of all lists, phrases and short prefixes. @returns number of documents */
  gather(window: number, scratch: WindowScratch): number {
    let gathered = 0
    for (const cursor of this.#cursors) {
      if (cursor === this.#taken) continue
      const chunk = chunkAt(this.#reader, cursor, window)
      if (chunk >= 0) gathered = this.#gatherChunk(cursor, chunk, scratch, gathered)
    }
    const { evidence } = this.#table
    gathered = gatherFew(this.#fewStrong, window, evidence, scratch, gathered)
    gathered = gatherFew(this.#fewWeak, window, evidence, scratch, gathered)
    for (const phrase of this.#phrases) gathered = gatherPhrase(phrase, window, scratch, gathered)
    if (this.prefixBits === undefined) return gathered
    const { quality } = this.#slot.shortPrefix!
    return gatherBits(this.prefixBits, window, quality, scratch, gathered)
  }

  /**
   * The same for only the documents of the set: `scratch.touched`, bits in `scratch.seen`. For
   * those with a strong alternative, weak ones do not count and their lists are not read: a prefix
   * that is also a word has thousands of these.
   *
   * @param strongCount documents with a strong list that was taken, in `scratch.hitIds`
   */
  gatherAmong(
    window: number,
    scratch: WindowScratch,
    touchedCount: number,
    strongCount: number,
  ): number {
    const { seen, touched, rest, inRest } = scratch
    const { evidence } = this.#table
    const [weak, all] = [this.#strongCount, this.#cursors.length]
    const hasWeak = all > weak || this.#fewWeak !== undefined
    const isPartial = hasWeak && strongCount > 0 && strongCount < touchedCount
    const restCount = isPartial ? takeRest(scratch, touchedCount, strongCount) : 0
    let gathered = this.#gatherHitsOf(0, weak, window, scratch, 0, seen, touched, touchedCount)
    gathered = gatherFew(this.#fewStrong, window, evidence, scratch, gathered, seen)
    if (isPartial) {
      gathered = this.#gatherHitsOf(weak, all, window, scratch, gathered, inRest, rest, restCount)
      gathered = gatherFew(this.#fewWeak, window, evidence, scratch, gathered, inRest)
      inRest.fill(0)
    } else if (hasWeak && gathered < touchedCount && strongCount < touchedCount) {
      gathered = this.#gatherHitsOf(
        weak,
        all,
        window,
        scratch,
        gathered,
        seen,
        touched,
        touchedCount,
      )
      gathered = gatherFew(this.#fewWeak, window, evidence, scratch, gathered, seen)
    }
    for (const phrase of this.#phrases) {
      gathered = gatherPhrase(phrase, window, scratch, gathered, seen)
    }
    const bits = this.prefixBits
    if (bits === undefined) return gathered
    const { quality } = this.#slot.shortPrefix!
    return gatherBitsAmong(bits, window, quality, scratch, gathered, touchedCount)
  }

  /** @param from, to range of the cursors */
  #gatherHitsOf(
    from: number,
    to: number,
    window: number,
    scratch: WindowScratch,
    gathered: number,
    set: Uint32Array,
    members: Uint16Array,
    memberCount: number,
  ): number {
    let count = gathered
    for (let i = from; i < to; i++) {
      const cursor = this.#cursors[i]!
      if (cursor === this.#taken) continue
      const chunk = chunkAt(this.#reader, cursor, window)
      if (chunk < 0) continue
      count = this.#gatherHits(cursor, chunk, scratch, count, set, members, memberCount)
    }
    return count
  }

  #gatherHits(
    { list, quality }: ListCursor,
    chunk: number,
    { hits, hitIds, evidenceSums, qualities, slotTouched }: WindowScratch,
    gathered: number,
    set: Uint32Array,
    members: Uint16Array,
    memberCount: number,
  ): number {
    const { codes, listMasks } = this.#reader
    const { evidence } = this.#table
    const hitCount = listHits(this.#segment, list, chunk, hits, hitIds, set, members, memberCount)
    const masks = listMasks[list]!
    if (typeof quality === 'number' || masks >= SINGLE_FORM) {
      return gatherHits(
        hitIds,
        codes,
        hits,
        hitCount,
        evidence,
        typeof quality === 'number' ? quality : quality[masks & 31]!,
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
      const q = bestQuality(quality, this.#reader.formMask(list, posting))
      if (value === 0 || q === 0) continue
      const id = hitIds[i]!
      if (qualities[id] === 0) slotTouched[count++] = id
      gatherOne(id, value, q, evidenceSums, qualities)
    }
    return count
  }

  #gatherChunk(
    cursor: ListCursor,
    chunk: number,
    scratch: WindowScratch,
    slotTouched: number,
  ): number {
    const { list, quality } = cursor
    const reader = this.#reader
    const from = reader.chunkStart(chunk)
    const to = reader.chunkEnd[chunk]!
    const masks = reader.listMasks[list]!
    if (typeof quality !== 'number' && masks < SINGLE_FORM) {
      return this.gatherMasked(cursor, quality, from, to, scratch, slotTouched)
    }
    const q = typeof quality === 'number' ? quality : quality[masks & 31]!
    if (q === 0) return slotTouched
    return gatherUniform(
      reader.ids,
      reader.codes,
      from,
      to,
      this.#table.evidence,
      q,
      scratch.evidenceSums,
      scratch.qualities,
      scratch.slotTouched,
      slotTouched,
    )
  }

  gatherMasked(
    cursor: ListCursor,
    quality: Float64Array,
    from: number,
    to: number,
    { evidenceSums, qualities, slotTouched }: WindowScratch,
    touchedCount: number,
  ): number {
    const { list } = cursor
    const { ids, codes, masks8, masks32, listMasks, listPosting } = this.#reader
    const { evidence } = this.#table
    const masks = listMasks[list]!
    const isWide = (masks & WIDE_MASKS) !== 0
    if (to - from < MASK_TABLE_POSTINGS_MIN || masks >= SINGLE_FORM) {
      let count = touchedCount
      for (let i = from; i < to; i++) {
        const value = evidence[codes[i]!]!
        if (value === 0) continue
        const q = bestQuality(quality, this.#reader.formMask(list, i))
        if (q === 0) continue
        const id = ids[i]!
        if (qualities[id] === 0) slotTouched[count++] = id
        gatherOne(id, value, q, evidenceSums, qualities)
      }
      return count
    }
    const byMask = this.#qualitiesOf(cursor, quality, isWide)
    const offset = (masks & MASK_INDEX) - listPosting[list]!
    const gather = isWide ? gatherWideMasks : gatherMasks
    return gather(
      ids,
      codes,
      // The kernel reads only the one that matches its type.
      (isWide ? masks32 : masks8) as Uint8Array & Uint32Array,
      offset,
      from,
      to,
      evidence,
      byMask,
      evidenceSums,
      qualities,
      slotTouched,
      touchedCount,
    )
  }

  #qualitiesOf(cursor: ListCursor, quality: Float64Array, isWide: boolean): Float64Array {
    this.#byMask ??= new Map()
    let byMask = this.#byMask.get(cursor)
    if (byMask === undefined) {
      byMask = qualitiesByMask(quality, isWide ? 4 : 1)
      this.#byMask.set(cursor, byMask)
    }
    return byMask
  }
}

/**
 * Writes the documents of the set that are not among the hits to `rest` and `inRest`.
 * @returns how many
 */
function takeRest(
  { seen, touched, hitIds, rest, inRest }: WindowScratch,
  touchedCount: number,
  hitCount: number,
): number {
  inRest.set(seen)
  for (let i = 0; i < hitCount; i++) inRest[hitIds[i]! >>> 5]! &= ~(1 << (hitIds[i]! & 31))
  let count = 0
  for (let i = 0; i < touchedCount; i++) {
    const id = touched[i]!
    rest[count] = id
    count += (inRest[id >>> 5]! >>> (id & 31)) & 1
  }
  return count
}
