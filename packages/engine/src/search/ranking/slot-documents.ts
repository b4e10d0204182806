import { WINDOW_BITS, WINDOW_SIZE } from '../../postings/postings-format.ts'
import type { SegmentReader } from '../../segment/segment-reader.ts'
import { keepIds, keepIfInBits, listUnseen, probeIds, touchIds } from './follow-kernels.ts'
import { PROBE_RATIO } from './list-hits.ts'
import type { ListCursor } from './list-cursor.ts'
import { chunkAt, openCursor } from './list-cursor.ts'
import type { SegmentView } from '../view/index-view.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import { slotLists } from './slot-lists.ts'
import type { WindowScratch } from './window-scratch.ts'

/**
 * The documents of one segment that have a slot: sets without scores, windows in ascending order.
 */
export interface DocumentSet {
  /** Adds the documents of a window to the set. @returns the new length of `touched` */
  touch(window: number, scratch: WindowScratch, touchedCount: number): number
  /**
   * Keeps only the documents of the set that have this slot too.
   * @returns the new length of `touched`
   */
  keep(window: number, scratch: WindowScratch, touchedCount: number): number
  /**
   * The number of documents in a window that have the slot, if it can be told without listing them;
   * otherwise -1.
   */
  countIfSimple(window: number): number
  /**
   * Lists the documents that are not in the set, and adds them to it.
   * @returns the new number of `docs`
   */
  listUnseen(window: number, scratch: WindowScratch, docs: Uint32Array, docCount: number): number
}

/**
 * The documents of a slot with a main list. Only for slots whose postings all match (`mainGroupOf`
 * in slot-roles.ts).
 *
 * A set is a bitset of one window, with a list of its members beside it. A document of a phrase or
 * of a lesser list is treated like one of the main list.
 */
export class SlotDocuments implements DocumentSet {
  readonly #segment: SegmentView
  readonly #reader: SegmentReader
  readonly #main: ListCursor | undefined
  readonly #lesser: ListCursor[] = []
  readonly #phrases: { readonly ids: Uint16Array; readonly ends: Uint32Array }[]

  constructor(slot: ResolvedSlot, mainGroup: number, segment: SegmentView, segmentIndex: number) {
    const { reader } = segment
    this.#segment = segment
    this.#reader = reader
    for (const list of slotLists(slot, segment)) {
      const cursor = openCursor(reader, list)
      if (list.group === mainGroup) this.#main = cursor
      else this.#lesser.push(cursor)
    }
    this.#phrases = slot.phrases.map(({ documents }) =>
      byWindow(documents[segmentIndex]!.docOrds, reader.windowCount),
    )
  }

  /** Of the main list. */
  get #bits(): Uint32Array | undefined {
    return this.#main === undefined ? undefined : this.#segment.listBits.of(this.#main.list)?.bits
  }

  touch(window: number, scratch: WindowScratch, touchedCount: number): number {
    let count = touchedCount
    if (this.#main !== undefined) count = this.#touchList(this.#main, window, scratch, count)
    for (const cursor of this.#lesser) count = this.#touchList(cursor, window, scratch, count)
    const { seen, touched } = scratch
    for (const { ids, ends } of this.#phrases) {
      count = touchIds(ids, startOf(ends, window), ends[window]!, seen, touched, count)
    }
    return count
  }

  #touchList(
    cursor: ListCursor,
    window: number,
    { seen, touched }: WindowScratch,
    touchedCount: number,
  ): number {
    const reader = this.#reader
    const chunk = chunkAt(reader, cursor, window)
    if (chunk < 0) return touchedCount
    const from = reader.chunkStart(chunk)
    return touchIds(reader.ids, from, reader.chunkEnd[chunk]!, seen, touched, touchedCount)
  }

  keep(window: number, scratch: WindowScratch, touchedCount: number): number {
    const reader = this.#reader
    const { seen, kept, touched, keptTouched } = scratch
    const mainChunk = this.#main === undefined ? -1 : chunkAt(reader, this.#main, window)
    const bits = mainChunk < 0 ? undefined : this.#bits
    let count = 0
    if (bits !== undefined) {
      count = keepIfInBits(bits, window << WINDOW_BITS, touched, touchedCount, kept, keptTouched)
    }
    const lists =
      this.#main === undefined || bits !== undefined ? this.#lesser : [this.#main, ...this.#lesser]
    for (const cursor of lists) {
      const chunk = chunkAt(reader, cursor, window)
      if (chunk < 0) continue
      const from = reader.chunkStart(chunk)
      const to = reader.chunkEnd[chunk]!
      count =
        touchedCount * PROBE_RATIO < to - from
          ? probeIds(reader.ids, from, to, touched, touchedCount, kept, keptTouched, count)
          : keepIds(reader.ids, from, to, seen, kept, keptTouched, count)
    }
    for (const { ids, ends } of this.#phrases) {
      const from = startOf(ends, window)
      count = keepIds(ids, from, ends[window]!, seen, kept, keptTouched, count)
    }
    scratch.takeKept()
    return count
  }

  countIfSimple(window: number): number {
    const { chunkEnd } = this.#reader
    const hasLesser =
      this.#lesser.some((cursor) => chunkAt(this.#reader, cursor, window) >= 0) ||
      this.#phrases.some(({ ends }) => startOf(ends, window) < ends[window]!)
    if (hasLesser) return -1
    const chunk = this.#main === undefined ? -1 : chunkAt(this.#reader, this.#main, window)
    return chunk < 0 ? 0 : chunkEnd[chunk]! - this.#reader.chunkStart(chunk)
  }

  listUnseen(window: number, { seen }: WindowScratch, docs: Uint32Array, docCount: number): number {
    const reader = this.#reader
    const base = window << WINDOW_BITS
    let count = docCount
    for (const cursor of this.#main === undefined ? this.#lesser : [this.#main, ...this.#lesser]) {
      const chunk = chunkAt(reader, cursor, window)
      if (chunk < 0) continue
      const from = reader.chunkStart(chunk)
      count = listUnseen(reader.ids, from, reader.chunkEnd[chunk]!, base, seen, docs, count)
    }
    for (const { ids, ends } of this.#phrases) {
      count = listUnseen(ids, startOf(ends, window), ends[window]!, base, seen, docs, count)
    }
    return count
  }
}

/** Documents as ids within their windows, and the end of each window's ids. */
function byWindow(
  docOrds: Uint32Array,
  windowCount: number,
): { readonly ids: Uint16Array; readonly ends: Uint32Array } {
  const ends = new Uint32Array(windowCount)
  for (const docOrd of docOrds) ends[docOrd >>> WINDOW_BITS]!++
  for (let window = 1; window < windowCount; window++) ends[window]! += ends[window - 1]!
  return { ids: Uint16Array.from(docOrds, (docOrd) => docOrd & (WINDOW_SIZE - 1)), ends }
}

function startOf(ends: Uint32Array, window: number): number {
  return window === 0 ? 0 : ends[window - 1]!
}
