import { MASK_INDEX, SINGLE_FORM, WIDE_MASKS } from '../../postings/postings-format.ts'
import { POINTS_PER_UNIT, saturate, slotPoints } from '../../scoring/formula.ts'
import type { SegmentReader } from '../../segment/segment-reader.ts'
import { findId } from '../../postings/find-id.ts'
import { addHits, addMaskedHits } from './follow-kernels.ts'
import type { EvidenceTable, SegmentView } from '../view/index-view.ts'
import type { InfixDocuments } from './infix-documents.ts'
import { listHits } from './list-hits.ts'
import type { ListCursor } from './list-cursor.ts'
import type { SlotList } from './slot-lists.ts'
import { chunkAt } from './list-cursor.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import { bestQuality } from '../words/resolved-slot.ts'
import { addDirect, addGathered, addMasked, addTable, gatherOne } from './score-kernels.ts'
import { SlotGatherer } from './slot-gatherer.ts'
import { NO_MAIN_GROUP } from './match-strategy.ts'
import type { MaskTables, SlotFlags } from './slot-tables.ts'
import { pointsByCode } from './slot-tables.ts'
import type { WindowScratch } from './window-scratch.ts'

/**
 * Scores one slot over one segment, window by window in ascending order: by `scoreWindow` if it
 * leads, by `follow` if it follows (see match-strategy.ts).
 */
export class SlotScorer {
  readonly #slot: ResolvedSlot
  readonly #flags: SlotFlags
  readonly #segment: SegmentView
  readonly #reader: SegmentReader
  readonly #table: EvidenceTable
  /** The alternatives besides the main list. */
  readonly #others: SlotGatherer
  readonly #infix: InfixDocuments | undefined
  /** The one list of a simple slot, if a table of its points by code pays off. */
  #pointsByCode: Int32Array | undefined
  readonly #maskTables: MaskTables
  readonly #main: SlotList | undefined

  constructor(
    slot: ResolvedSlot,
    flags: SlotFlags,
    maskTables: MaskTables,
    segment: SegmentView,
    segmentIndex: number,
    table: EvidenceTable,
    prefixBits: Uint32Array | undefined,
    infix: InfixDocuments | undefined,
    mainGroup: number | undefined,
  ) {
    const { reader } = segment
    this.#slot = slot
    this.#flags = flags
    this.#maskTables = maskTables
    this.#segment = segment
    this.#reader = reader
    this.#table = table
    this.#infix = infix
    this.#others = new SlotGatherer(slot, segment, segmentIndex, table, prefixBits)
    if (mainGroup === undefined) this.#main = this.#others.takeMain()
    else if (mainGroup !== NO_MAIN_GROUP) this.#main = this.#others.takeList(mainGroup)
  }

  /** Whether nothing in the segment can match. */
  get isEmpty(): boolean {
    return this.#main === undefined && this.#infix === undefined && this.#others.isEmpty
  }

  /** Documents of the segment that a short prefix matches. */
  get prefixBits(): Uint32Array | undefined {
    return this.#others.prefixBits
  }

  /** @returns the new length of `scratch.touched` */
  scoreWindow(window: number, scratch: WindowScratch, touchedCount: number): number {
    const touched = this.#scoreLists(window, scratch, touchedCount)
    return this.#infix === undefined ? touched : this.#infix.score(window, scratch, touched)
  }

  #scoreLists(window: number, scratch: WindowScratch, touchedCount: number): number {
    const main = this.#main
    if (main === undefined) return this.#scoreGathered(window, scratch, touchedCount)
    const chunk = chunkAt(this.#reader, main, window)
    if (chunk < 0) return this.#scoreGathered(window, scratch, touchedCount)
    const touched = this.#scoreSimple(main, chunk, scratch, touchedCount)
    const gathered = this.#others.gather(window, scratch)
    return gathered === 0 ? touched : this.#patch(main, chunk, scratch, gathered, touched)
  }

  /** Scores a following slot in the documents of `scratch.touched`, bits in `scratch.seen`. */
  follow(window: number, scratch: WindowScratch, touchedCount: number): void {
    if (touchedCount === 0) return
    const main = this.#main
    const chunk = main === undefined ? -1 : chunkAt(this.#reader, main, window)
    const hitCount = chunk < 0 ? 0 : this.#followMain(main!, chunk, scratch, touchedCount)
    const strongCount = hitCount > 0 && this.#others.isStrong(main!) ? hitCount : 0
    const gathered = this.#others.gatherAmong(window, scratch, touchedCount, strongCount)
    if (gathered === 0) return
    // All of them are in the set, so none is new.
    if (chunk >= 0) this.#patch(main!, chunk, scratch, gathered, touchedCount)
    else this.#addGathered(scratch, gathered, touchedCount)
  }

  /** @returns number of documents with the main list; they are in `scratch.hitIds` */
  #followMain(
    { list, quality }: ListCursor,
    chunk: number,
    { scores, hits, hitIds, seen, touched }: WindowScratch,
    touchedCount: number,
  ): number {
    const reader = this.#reader
    const { codes } = reader
    const { saturated } = this.#table
    const hitCount = listHits(this.#segment, list, chunk, hits, hitIds, seen, touched, touchedCount)
    const masks = reader.listMasks[list]!
    if (typeof quality === 'number' || masks >= SINGLE_FORM) {
      const q = typeof quality === 'number' ? quality : quality[masks & 31]!
      const factor = this.#slot.weight * q * POINTS_PER_UNIT
      addHits(hitIds, codes, hits, hitCount, saturated, factor, this.#flagsOf(q), scores)
      return hitCount
    }
    if ((masks & WIDE_MASKS) !== 0) {
      for (let i = 0; i < hitCount; i++) {
        const posting = hits[i]!
        const q = bestQuality(quality, reader.formMask(list, posting))
        const points = slotPoints(this.#slot.weight, q, saturated[codes[posting]!]!)
        scores[hitIds[i]!]! += points + this.#flagsOf(q)
      }
      return hitCount
    }
    this.#maskTables.fill(quality, this.#slot.weight, this.#flags)
    const { factors, flags } = this.#maskTables
    const offset = (masks & MASK_INDEX) - reader.listPosting[list]!
    addMaskedHits(
      hitIds,
      codes,
      reader.masks8,
      offset,
      hits,
      hitCount,
      saturated,
      factors,
      flags,
      scores,
    )
    return hitCount
  }

  /** Scores the gathered documents; rescores those of the main list with all their evidence. */
  #patch(
    main: ListCursor,
    chunk: number,
    scratch: WindowScratch,
    gathered: number,
    touchedCount: number,
  ): number {
    const { scores, touched, evidenceSums, qualities, slotTouched } = scratch
    const reader = this.#reader
    const { weight } = this.#slot
    const from = reader.chunkStart(chunk)
    const to = reader.chunkEnd[chunk]!
    let count = touchedCount
    for (let i = 0; i < gathered; i++) {
      const id = slotTouched[i]!
      let undo = 0
      const posting = findId(reader.ids, from, to, id)
      const inMain = posting < 0 ? 0 : this.#qualityIn(main, posting)
      const code = posting < 0 ? 0 : reader.codes[posting]!
      if (inMain > 0 && this.#table.evidence[code]! > 0) {
        undo = slotPoints(weight, inMain, this.#table.saturated[code]!) + this.#flagsOf(inMain)
        gatherOne(id, this.#table.evidence[code]!, inMain, evidenceSums, qualities)
      }
      const quality = qualities[id]!
      const before = scores[id]!
      if (before === 0) touched[count++] = id
      const points =
        slotPoints(weight, quality, saturate(evidenceSums[id]!)) + this.#flagsOf(quality)
      scores[id] = (before - undo + points) | 0
      evidenceSums[id] = 0
      qualities[id] = 0
    }
    return count
  }

  #qualityIn({ list, quality }: ListCursor, posting: number): number {
    if (typeof quality === 'number') return quality
    return bestQuality(quality, this.#reader.formMask(list, posting))
  }

  #flagsOf(quality: number): number {
    return quality >= this.#flags.countedMin ? this.#flags.counted : this.#flags.uncounted
  }

  #scoreSimple(
    cursor: ListCursor,
    chunk: number,
    scratch: WindowScratch,
    touchedCount: number,
  ): number {
    const { list, quality } = cursor
    const reader = this.#reader
    const { ids, codes } = reader
    const from = reader.chunkStart(chunk)
    const to = reader.chunkEnd[chunk]!
    const { scores, touched } = scratch
    const masks = reader.listMasks[list]!
    const isOneForm = masks >= SINGLE_FORM
    if (typeof quality === 'number' || isOneForm) {
      const q = typeof quality === 'number' ? quality : quality[masks & 31]!
      if (q === 0) return touchedCount
      const factor = this.#slot.weight * q * POINTS_PER_UNIT
      const flags = this.#flagsOf(q)
      const postings = reader.listPosting[list + 1]! - reader.listPosting[list]!
      if (postings < reader.impactCount) {
        const { saturated } = this.#table
        return addDirect(
          ids,
          codes,
          from,
          to,
          saturated,
          factor,
          flags,
          scores,
          touched,
          touchedCount,
        )
      }
      this.#pointsByCode ??= pointsByCode(this.#table.saturated, factor, flags)
      return addTable(ids, codes, from, to, this.#pointsByCode, scores, touched, touchedCount)
    }
    if ((masks & WIDE_MASKS) !== 0)
      return this.#scoreGatheredList(cursor, quality, from, to, scratch, touchedCount)
    this.#maskTables.fill(quality, this.#slot.weight, this.#flags)
    return addMasked(
      ids,
      codes,
      reader.masks8,
      (masks & MASK_INDEX) - reader.listPosting[list]!,
      from,
      to,
      this.#table.saturated,
      this.#maskTables.factors,
      this.#maskTables.flags,
      scores,
      touched,
      touchedCount,
    )
  }

  #scoreGatheredList(
    cursor: ListCursor,
    quality: Float64Array,
    from: number,
    to: number,
    scratch: WindowScratch,
    touchedCount: number,
  ): number {
    const slotTouched = this.#others.gatherMasked(cursor, quality, from, to, scratch, 0)
    return this.#addGathered(scratch, slotTouched, touchedCount)
  }

  #scoreGathered(window: number, scratch: WindowScratch, touchedCount: number): number {
    const slotTouched = this.#others.gather(window, scratch)
    return slotTouched === 0 ? touchedCount : this.#addGathered(scratch, slotTouched, touchedCount)
  }

  #addGathered(scratch: WindowScratch, slotTouched: number, touchedCount: number): number {
    return addGathered(
      scratch.evidenceSums,
      scratch.qualities,
      scratch.slotTouched,
      slotTouched,
      this.#slot.weight,
      this.#flags.countedMin,
      this.#flags.counted,
      this.#flags.uncounted,
      scratch.scores,
      scratch.touched,
      touchedCount,
    )
  }
}
