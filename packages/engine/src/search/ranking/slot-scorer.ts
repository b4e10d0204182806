import { MASK_INDEX, SINGLE_FORM, WIDE_MASKS } from '../../postings/postings-format.ts'
import { POINTS_PER_UNIT, saturate, slotPoints } from '../../scoring/formula.ts'
import type { SegmentReader } from '../../segment/segment-reader.ts'
import { gatherBits, gatherPhrase } from './gather-documents.ts'
import {
  addHits,
  addMaskedHits,
  findHits,
  findId,
  probeHits,
  PROBE_RATIO,
} from './follow-kernels.ts'
import type { EvidenceTable, SegmentView } from '../view/index-view.ts'
import type { InfixDocuments } from './infix-documents.ts'
import type { ListCursor } from './list-cursor.ts'
import { chunkAt, openCursor } from './list-cursor.ts'
import type { PhraseDocuments, ResolvedSlot } from '../words/resolved-slot.ts'
import { bestQuality } from '../words/resolved-slot.ts'
import {
  addDirect,
  addGathered,
  addMasked,
  addTable,
  gatherMasks,
  gatherOne,
  gatherUniform,
  gatherWideMasks,
} from './score-kernels.ts'
import type { MaskTables, SlotFlags } from './slot-tables.ts'
import { pointsByCode, qualitiesByMask } from './slot-tables.ts'
import type { WindowScratch } from './window-scratch.ts'

/** From this many postings on, the qualities of all masks are worth a table. */
const MASK_TABLE_POSTINGS_MIN = 128

/** A list this many times as long as the others together is scored by itself. */
const MAIN_LIST_RATIO = 8

/**
 * Scores one slot over one segment, window by window in ascending order: by `scoreWindow` when it
 * leads, by `follow` when it follows (see slot-roles.ts).
 */
export class SlotScorer {
  readonly #slot: ResolvedSlot
  readonly #flags: SlotFlags
  readonly #reader: SegmentReader
  readonly #table: EvidenceTable
  readonly #cursors: ListCursor[] = []
  readonly #phrases: { readonly documents: PhraseDocuments; next: number }[]
  readonly #prefixBits: Uint32Array | undefined
  readonly #infix: InfixDocuments | undefined
  /** The one list of a simple slot whose points by code are worth a table. */
  #pointsByCode: Int32Array | undefined
  readonly #maskTables: MaskTables
  readonly #main: ListCursor | undefined

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
    this.#reader = reader
    this.#table = table
    this.#prefixBits = prefixBits
    this.#infix = infix
    this.#phrases = slot.phrases.map(({ documents }) => ({
      documents: documents[segmentIndex]!,
      next: 0,
    }))
    for (const { group, quality } of slot.groups) {
      const cursor = openCursor(reader, group, quality)
      if (cursor !== undefined) this.#cursors.push(cursor)
    }
    this.#main = mainGroup === undefined ? this.#takeMain() : this.#takeList(mainGroup)
  }

  /** Nothing of the segment can match. */
  get isEmpty(): boolean {
    return (
      this.#main === undefined &&
      this.#cursors.length === 0 &&
      this.#prefixBits === undefined &&
      this.#infix === undefined &&
      this.#phrases.every(({ documents }) => documents.docOrds.length === 0)
    )
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
    if (this.#cursors.length === 0 && this.#phrases.length === 0) return touched
    return this.#patch(main, chunk, scratch, this.#gatherOthers(window, scratch, 0), touched)
  }

  /** Scores a following slot in the documents of `scratch.touched`, bits in `scratch.seen`. */
  follow(window: number, scratch: WindowScratch, touchedCount: number): void {
    const main = this.#main
    const chunk = main === undefined ? -1 : chunkAt(this.#reader, main, window)
    if (chunk >= 0) this.#followMain(main!, chunk, scratch, touchedCount)
    if (this.#cursors.length === 0 && this.#phrases.length === 0) return
    const gathered = this.#gatherOthers(window, scratch, 0)
    const { seen, slotTouched, evidenceSums, qualities } = scratch
    let count = 0
    for (let i = 0; i < gathered; i++) {
      const id = slotTouched[i]!
      slotTouched[count] = id
      if ((seen[id >>> 5]! & (1 << (id & 31))) !== 0) count++
      else {
        evidenceSums[id] = 0
        qualities[id] = 0
      }
    }
    // All of them are in the set, so none is new.
    if (chunk >= 0) this.#patch(main!, chunk, scratch, count, touchedCount)
    else this.#addGathered(scratch, count, touchedCount)
  }

  #followMain(
    { list, quality }: ListCursor,
    chunk: number,
    { scores, touched, seen, hits }: WindowScratch,
    touchedCount: number,
  ): void {
    const reader = this.#reader
    const { ids, codes } = reader
    const { saturated } = this.#table
    const from = reader.chunkStart(chunk)
    const to = reader.chunkEnd[chunk]!
    const hitCount =
      touchedCount * PROBE_RATIO < to - from
        ? probeHits(ids, from, to, touched, touchedCount, hits)
        : findHits(ids, from, to, seen, hits)
    const masks = reader.listMasks[list]!
    if (typeof quality === 'number' || masks >= SINGLE_FORM) {
      const q = typeof quality === 'number' ? quality : quality[masks & 31]!
      const factor = this.#slot.weight * q * POINTS_PER_UNIT
      addHits(ids, codes, hits, hitCount, saturated, factor, this.#flagsOf(q), scores)
      return
    }
    if ((masks & WIDE_MASKS) !== 0) {
      for (let i = 0; i < hitCount; i++) {
        const posting = hits[i]!
        const q = bestQuality(quality, reader.formMask(list, posting))
        const points = slotPoints(this.#slot.weight, q, saturated[codes[posting]!]!)
        scores[ids[posting]!]! += points + this.#flagsOf(q)
      }
      return
    }
    this.#maskTables.fill(quality, this.#slot.weight, this.#flags)
    const { factors, flags } = this.#maskTables
    const offset = (masks & MASK_INDEX) - reader.listPosting[list]!
    addMaskedHits(
      ids,
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
  }

  /** Takes the list of a following slot out of the cursors. */
  #takeList(group: number): ListCursor | undefined {
    const list = this.#reader.listOf(group)
    const at = this.#cursors.findIndex((cursor) => cursor.list === list)
    return at < 0 ? undefined : this.#cursors.splice(at, 1)[0]
  }

  /**
   * Takes the one list with nearly all postings of the slot out of the cursors. Its documents are
   * scored as if it were the only list; the few with another alternative are corrected afterwards.
   */
  #takeMain(): ListCursor | undefined {
    if (this.#prefixBits !== undefined || this.#cursors.length === 0) return undefined
    const sizeOf = ({ list }: ListCursor) =>
      this.#reader.listPosting[list + 1]! - this.#reader.listPosting[list]!
    let largest = 0
    let total = 0
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
    this.#cursors.splice(largest, 1)
    return main
  }

  /**
   * Scores the gathered documents; those of the main list are scored again, with all their
   * evidence.
   */
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
    const slotTouched = this.#gatherMasked(cursor, quality, from, to, scratch, 0)
    return this.#addGathered(scratch, slotTouched, touchedCount)
  }

  #scoreGathered(window: number, scratch: WindowScratch, touchedCount: number): number {
    let slotTouched = this.#gatherOthers(window, scratch, 0)
    if (this.#prefixBits !== undefined) {
      const quality = this.#slot.shortPrefix!.quality
      slotTouched = gatherBits(this.#prefixBits, window, quality, scratch, slotTouched)
    }
    return slotTouched === 0 ? touchedCount : this.#addGathered(scratch, slotTouched, touchedCount)
  }

  /** Gathers the evidence of all lists and phrases except the main list. */
  #gatherOthers(window: number, scratch: WindowScratch, touchedCount: number): number {
    let slotTouched = touchedCount
    for (const cursor of this.#cursors) {
      const chunk = chunkAt(this.#reader, cursor, window)
      if (chunk >= 0) slotTouched = this.#gatherChunk(cursor, chunk, scratch, slotTouched)
    }
    for (const phrase of this.#phrases)
      slotTouched = gatherPhrase(phrase, window, scratch, slotTouched)
    return slotTouched
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
      return this.#gatherMasked(cursor, quality, from, to, scratch, slotTouched)
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

  #gatherMasked(
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
    cursor.byMask ??= qualitiesByMask(quality, isWide ? 4 : 1)
    const { byMask } = cursor
    const offset = (masks & MASK_INDEX) - listPosting[list]!
    const gather = isWide ? gatherWideMasks : gatherMasks
    return gather(
      ids,
      codes,
      // One of the two is the type that the kernel reads.
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
