import { GrowableF64, GrowableU16, GrowableU32, GrowableU8 } from '../../codec/growable.ts'
import { MASK_INDEX, SINGLE_FORM, WIDE_MASKS } from '../../postings/postings-format.ts'
import type { SegmentReader } from '../../segment/segment-reader.ts'
import type { SegmentView } from '../view/index-view.ts'
import { bestQuality } from '../words/resolved-slot.ts'

/** Maximum number of postings copied for a slot in a segment; further lists are not copied. */
const COPIED_POSTINGS_MAX = 16_384

/**
 * Maximum number of distinct qualities in a copy: they are numbered in one byte. Forms of a list
 * have 32.
 */
const QUALITIES_MAX = 256
const LIST_QUALITIES_MAX = 32

/**
 * The postings of all short lists of a slot in one segment, by window, unordered within one. A
 * prefix or a misspelt word has dozens of such lists with a dozen postings each; opening them, and
 * reading each window by window, would cost six cache misses each time.
 */
export interface FewPostings {
  readonly ids: Uint16Array
  readonly codes: Uint16Array | Uint32Array
  /** Index of q: the best of the forms in the document. */
  readonly qualities: Uint8Array
  /** q by that index. Never 0. */
  readonly qualityOf: Float64Array
  /** By window: the index after its postings. */
  readonly ends: Uint32Array
}

/** The postings read, list by list, within one call. */
const windows = new GrowableU16()
const ids = new GrowableU16()
const codes = new GrowableU32()
const qualities = new GrowableU8()
const qualityOf = new GrowableF64(QUALITIES_MAX)

/** Collects short lists. One at a time, within one call. */
export class FewPostingsBuilder {
  readonly #reader: SegmentReader
  readonly #copiedBelow: number

  constructor({ reader, copiedBelow }: SegmentView) {
    this.#reader = reader
    this.#copiedBelow = copiedBelow
    windows.length = 0
    ids.length = 0
    codes.length = 0
    qualities.length = 0
    qualityOf.length = 0
  }

  /**
   * Adds the postings of a list whose forms have a quality.
   * @returns false if the list is too long or the copy is full
   */
  add(list: number, quality: Float64Array | number): boolean {
    const { listPosting } = this.#reader
    const size = listPosting[list + 1]! - listPosting[list]!
    if (size >= this.#copiedBelow || ids.length + size > COPIED_POSTINGS_MAX) return false
    if (qualityOf.length + LIST_QUALITIES_MAX > QUALITIES_MAX) return false
    this.#copy(list, quality)
    return true
  }

  #copy(list: number, quality: Float64Array | number): void {
    const reader = this.#reader
    const { listMasks, listPosting, listChunk, chunkWindow, chunkEnd } = reader
    const masks = listMasks[list]!
    const isSingle = masks >= SINGLE_FORM
    const byMask = typeof quality === 'number' || isSingle ? undefined : quality
    const same = typeof quality === 'number' ? quality : isSingle ? quality[masks & 31]! : 0
    if (byMask === undefined && same === 0) return
    const isWide = (masks & WIDE_MASKS) !== 0
    const offset = (masks & MASK_INDEX) - listPosting[list]!
    for (let chunk = listChunk[list]!; chunk < listChunk[list + 1]!; chunk++) {
      const end = chunkEnd[chunk]!
      for (let posting = reader.chunkStart(chunk); posting < end; posting++) {
        let q = same
        if (byMask !== undefined) {
          const mask = isWide ? reader.masks32[offset + posting]! : reader.masks8[offset + posting]!
          q = bestQuality(byMask, mask)
          if (q === 0) continue
        }
        windows.push(chunkWindow[chunk]!)
        ids.push(reader.ids[posting]!)
        codes.push(reader.codes[posting]!)
        qualities.push(indexOf(q))
      }
    }
  }

  /** @returns undefined if there are none */
  finish(): FewPostings | undefined {
    const count = ids.length
    if (count === 0) return undefined
    const ends = new Uint32Array(this.#reader.windowCount)
    for (let i = 0; i < count; i++) ends[windows.data[i]!]!++
    // Starts as the start of its window; filling moves it to the end.
    let start = 0
    for (let window = 0; window < ends.length; window++) {
      const size = ends[window]!
      ends[window] = start
      start += size
    }
    const few: FewPostings = {
      ids: new Uint16Array(count),
      codes:
        this.#reader.codes.BYTES_PER_ELEMENT === 2
          ? new Uint16Array(count)
          : codes.data.slice(0, count),
      qualities: new Uint8Array(count),
      qualityOf: qualityOf.data.slice(0, qualityOf.length),
      ends,
    }
    for (let i = 0; i < count; i++) {
      const at = ends[windows.data[i]!]!++
      few.ids[at] = ids.data[i]!
      few.codes[at] = codes.data[i]!
      few.qualities[at] = qualities.data[i]!
    }
    return few
  }
}

/** Tries the last one first: most postings have the quality of the previous one. */
function indexOf(quality: number): number {
  for (let i = qualityOf.length - 1; i >= 0; i--) if (qualityOf.data[i] === quality) return i
  qualityOf.push(quality)
  return qualityOf.length - 1
}

/** Number of postings. */
export function fewCount(few: FewPostings | undefined): number {
  return few === undefined ? 0 : few.ids.length
}
