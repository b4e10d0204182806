import { POINTS_PER_UNIT, TIER_STEP } from '../../scoring/formula.ts'
import type { EvidenceTable, SegmentView } from '../view/index-view.ts'
import type { LongList } from './essential-lists.ts'
import type { ExactDocuments } from './exact-values.ts'
import { touchReaching } from './follow-kernels.ts'
import { chunkAt, openCursor, type ListCursor } from './list-cursor.ts'
import type { WindowScratch } from './window-scratch.ts'

/** Rounding may raise a score by half a point; products of floats differ in their last digits. */
const ROUNDING = 1

/** The documents of a long list that may be among the best (see `LongList`). */
export class BestOfList {
  readonly #segment: SegmentView
  readonly #cursor: ListCursor | undefined
  readonly #saturated: Float32Array
  /** Maximum points per unit of saturated evidence. */
  readonly #factor: number
  readonly #exactCodes: Uint8Array | undefined
  /** By impact code: 1 if a document with it may reach `#scoreMin`. */
  readonly #reaches: Uint8Array
  #scoreMin = -Infinity

  /** @param exact documents that rank above all others, regardless of their evidence */
  constructor(
    { group, quality, slotWeight }: LongList,
    segment: SegmentView,
    { saturated }: EvidenceTable,
    exact: ExactDocuments | undefined,
  ) {
    this.#segment = segment
    const list = segment.reader.listOf(group)
    this.#cursor = list < 0 ? undefined : openCursor(segment.reader, list, quality)
    this.#saturated = saturated
    this.#factor = slotWeight * quality * POINTS_PER_UNIT
    this.#exactCodes = exact?.codes
    this.#reaches = new Uint8Array(saturated.length).fill(1)
  }

  /**
   * Adds the documents of a window that may reach a score to the set. Documents in this list are in
   * the upper tier.
   *
   * @returns the new length of `touched`
   */
  touch(
    window: number,
    { seen, touched }: WindowScratch,
    touchedCount: number,
    scoreMin: number,
  ): number {
    const { reader } = this.#segment
    const chunk = this.#cursor === undefined ? -1 : chunkAt(reader, this.#cursor, window)
    if (chunk < 0) return touchedCount
    if (scoreMin !== this.#scoreMin) this.#setReaches(scoreMin)
    return touchReaching(
      reader.ids,
      reader.codes,
      reader.chunkStart(chunk),
      reader.chunkEnd[chunk]!,
      this.#reaches,
      seen,
      touched,
      touchedCount,
    )
  }

  #setReaches(scoreMin: number): void {
    this.#scoreMin = scoreMin
    const least = (scoreMin - TIER_STEP - ROUNDING) / this.#factor
    const reaches = this.#reaches
    for (let code = 0; code < reaches.length; code++) {
      reaches[code] = this.#saturated[code]! >= least ? 1 : (this.#exactCodes?.[code] ?? 0)
    }
  }
}
