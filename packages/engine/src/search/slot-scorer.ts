import {
  MASK_INDEX,
  SINGLE_FORM,
  WIDE_MASKS,
  WINDOW_BITS,
  WINDOW_SIZE,
} from '../postings/postings-format.ts'
import { SHORT_PREFIX_EVIDENCE, WEIGHT_COUNTED_MIN, WEIGHT_SPLIT } from '../scoring/formula.ts'
import type { SegmentReader } from '../segment/segment-reader.ts'
import type { EvidenceTable, SegmentView } from './index-view.ts'
import type { PairDocuments, ResolvedSlot } from './resolved-slot.ts'
import { bestQuality } from './resolved-slot.ts'
import { addDirect, addGathered, addMasked, addTable, gatherUniform } from './score-kernels.ts'

/** Scratch space of one thread for one window; all zero between uses. */
export class WindowScratch {
  readonly scores = new Float64Array(WINDOW_SIZE)
  readonly touched = new Uint16Array(WINDOW_SIZE)
  readonly evidenceSums = new Float64Array(WINDOW_SIZE)
  readonly qualities = new Float64Array(WINDOW_SIZE)
  readonly slotTouched = new Uint16Array(WINDOW_SIZE)

  /** After a search that was broken off inside a window. */
  clear(): void {
    this.scores.fill(0)
    this.evidenceSums.fill(0)
    this.qualities.fill(0)
  }
}

/** What having a slot adds to a score besides points. */
export interface SlotFlags {
  /** With a quality that counts, and with one that does not. */
  readonly counted: number
  readonly uncounted: number
}

/** A list of one alternative, with a cursor over its chunks. */
interface ListCursor {
  readonly list: number
  readonly quality: Float64Array | number
  chunk: number
  readonly chunkEnd: number
}

/** What form masks of a simple slot are worth: made once per search, for all segments. */
export class MaskTables {
  readonly factors = new Float64Array(256)
  readonly flags = new Float64Array(256)
  #filled = false

  fill(quality: Float64Array, weight: number, flags: SlotFlags): void {
    if (this.#filled) return
    this.#filled = true
    const bestOf = new Float64Array(256)
    for (let mask = 1; mask < 256; mask++) {
      // The best of the lowest form and of the rest, which has its place already.
      const rest = mask & (mask - 1)
      const q = Math.max(bestOf[rest]!, quality[31 - Math.clz32(mask & -mask)]!)
      bestOf[mask] = q
      this.factors[mask] = weight * q * 65_536
      this.flags[mask] = q >= WEIGHT_COUNTED_MIN ? flags.counted : flags.uncounted
    }
  }
}

/** Scores one slot over one segment, window after window in ascending order. */
export class SlotScorer {
  readonly #slot: ResolvedSlot
  readonly #flags: SlotFlags
  readonly #reader: SegmentReader
  readonly #table: EvidenceTable
  readonly #cursors: ListCursor[] = []
  readonly #pairs: { readonly documents: PairDocuments; next: number }[]
  readonly #prefixBits: Uint32Array | undefined
  /** The one list of a simple slot whose points by code are worth a table. */
  #pointsByCode: Float64Array | undefined
  readonly #maskTables: MaskTables

  constructor(
    slot: ResolvedSlot,
    flags: SlotFlags,
    maskTables: MaskTables,
    segment: SegmentView,
    segmentIndex: number,
    table: EvidenceTable,
    prefixBits: Uint32Array | undefined,
  ) {
    const { reader } = segment
    this.#slot = slot
    this.#flags = flags
    this.#maskTables = maskTables
    this.#reader = reader
    this.#table = table
    this.#prefixBits = prefixBits
    this.#pairs = slot.pairs.map((bySegment) => ({ documents: bySegment[segmentIndex]!, next: 0 }))
    for (const { group, quality } of slot.groups) {
      const list = reader.listOf(group)
      if (list < 0) continue
      const chunk = reader.listChunk[list]!
      this.#cursors.push({ list, quality, chunk, chunkEnd: reader.listChunk[list + 1]! })
    }
  }

  /** Nothing of the segment can match. */
  get isEmpty(): boolean {
    return (
      this.#cursors.length === 0 &&
      this.#prefixBits === undefined &&
      this.#pairs.every(({ documents }) => documents.docOrds.length === 0)
    )
  }

  /** @returns the new length of `scratch.touched` */
  scoreWindow(window: number, scratch: WindowScratch, touchedCount: number): number {
    const isSimple =
      this.#cursors.length <= 1 && this.#pairs.length === 0 && this.#prefixBits === undefined
    if (!isSimple) return this.#scoreGathered(window, scratch, touchedCount)
    const cursor = this.#cursors[0]
    const chunk = cursor === undefined ? -1 : this.#chunkAt(cursor, window)
    return chunk < 0 ? touchedCount : this.#scoreSimple(cursor!, chunk, scratch, touchedCount)
  }

  #chunkAt(cursor: ListCursor, window: number): number {
    const { chunkWindow } = this.#reader
    while (cursor.chunk < cursor.chunkEnd && chunkWindow[cursor.chunk]! < window) cursor.chunk++
    return cursor.chunk < cursor.chunkEnd && chunkWindow[cursor.chunk] === window
      ? cursor.chunk
      : -1
  }

  #flagsOf(quality: number): number {
    return quality >= WEIGHT_COUNTED_MIN ? this.#flags.counted : this.#flags.uncounted
  }

  #scoreSimple(
    { list, quality }: ListCursor,
    chunk: number,
    scratch: WindowScratch,
    touchedCount: number,
  ): number {
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
      const factor = this.#slot.weight * q * 65_536
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
      return this.#scoreGatheredList(list, quality, from, to, scratch, touchedCount)
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
    list: number,
    quality: Float64Array,
    from: number,
    to: number,
    scratch: WindowScratch,
    touchedCount: number,
  ): number {
    const slotTouched = this.#gatherMasked(list, quality, from, to, scratch, 0)
    return this.#addGathered(scratch, slotTouched, touchedCount)
  }

  #scoreGathered(window: number, scratch: WindowScratch, touchedCount: number): number {
    let slotTouched = 0
    for (const cursor of this.#cursors) {
      const chunk = this.#chunkAt(cursor, window)
      if (chunk >= 0) slotTouched = this.#gatherChunk(cursor, chunk, scratch, slotTouched)
    }
    for (const pair of this.#pairs) slotTouched = gatherPair(pair, window, scratch, slotTouched)
    if (this.#prefixBits !== undefined) {
      const quality = this.#slot.shortPrefix!.quality
      slotTouched = gatherBits(this.#prefixBits, window, quality, scratch, slotTouched)
    }
    return slotTouched === 0 ? touchedCount : this.#addGathered(scratch, slotTouched, touchedCount)
  }

  #gatherChunk(
    { list, quality }: ListCursor,
    chunk: number,
    scratch: WindowScratch,
    slotTouched: number,
  ): number {
    const reader = this.#reader
    const from = reader.chunkStart(chunk)
    const to = reader.chunkEnd[chunk]!
    const masks = reader.listMasks[list]!
    if (typeof quality !== 'number' && masks < SINGLE_FORM) {
      return this.#gatherMasked(list, quality, from, to, scratch, slotTouched)
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
    list: number,
    quality: Float64Array,
    from: number,
    to: number,
    { evidenceSums, qualities, slotTouched }: WindowScratch,
    touchedCount: number,
  ): number {
    const reader = this.#reader
    const { evidence } = this.#table
    let count = touchedCount
    for (let i = from; i < to; i++) {
      const value = evidence[reader.codes[i]!]!
      if (value === 0) continue
      const q = bestQuality(quality, reader.formMask(list, i))
      if (q === 0) continue
      const id = reader.ids[i]!
      const before = qualities[id]!
      if (before === 0) slotTouched[count++] = id
      if (q > before) qualities[id] = q
      evidenceSums[id]! += value
    }
    return count
  }

  #addGathered(scratch: WindowScratch, slotTouched: number, touchedCount: number): number {
    return addGathered(
      scratch.evidenceSums,
      scratch.qualities,
      scratch.slotTouched,
      slotTouched,
      this.#slot.weight,
      WEIGHT_COUNTED_MIN,
      this.#flags.counted,
      this.#flags.uncounted,
      scratch.scores,
      scratch.touched,
      touchedCount,
    )
  }
}

function pointsByCode(saturated: Float32Array, factor: number, flags: number): Float64Array {
  const points = new Float64Array(saturated.length)
  for (let code = 0; code < points.length; code++) {
    const value = saturated[code]!
    if (value !== 0) points[code] = Math.floor(factor * value + 0.5) + flags
  }
  return points
}

function gatherPair(
  pair: { readonly documents: PairDocuments; next: number },
  window: number,
  { evidenceSums, qualities, slotTouched }: WindowScratch,
  touchedCount: number,
): number {
  const { docOrds, evidence } = pair.documents
  let count = touchedCount
  for (; pair.next < docOrds.length; pair.next++) {
    const docOrd = docOrds[pair.next]!
    if (docOrd >>> WINDOW_BITS > window) break
    const id = docOrd & (WINDOW_SIZE - 1)
    const before = qualities[id]!
    if (before === 0) slotTouched[count++] = id
    if (WEIGHT_SPLIT > before) qualities[id] = WEIGHT_SPLIT
    evidenceSums[id]! += evidence[pair.next]!
  }
  return count
}

function gatherBits(
  bits: Uint32Array,
  window: number,
  quality: number,
  { evidenceSums, qualities, slotTouched }: WindowScratch,
  touchedCount: number,
): number {
  let count = touchedCount
  const firstWord = (window << WINDOW_BITS) >>> 5
  const lastWord = Math.min(bits.length, firstWord + (WINDOW_SIZE >>> 5))
  for (let word = firstWord; word < lastWord; word++) {
    for (let rest = bits[word]!; rest !== 0; rest &= rest - 1) {
      const id = ((word - firstWord) << 5) + 31 - Math.clz32(rest & -rest)
      const before = qualities[id]!
      if (before === 0) slotTouched[count++] = id
      if (quality > before) qualities[id] = quality
      evidenceSums[id]! += SHORT_PREFIX_EVIDENCE
    }
  }
  return count
}
