import type { Column } from '../../columns/column-reader.ts'
import { countLiveOrds, countOrds, countTouchedOrds } from '../../columns/ordinal-kernels.ts'
import { borrowCounts, giveBackCounts } from './count-arrays.ts'

/**
 * From this many ordinals on, counted ones are recorded instead of searched for, until a full scan
 * is cheaper.
 */
const TOUCHED_ORDS_MIN = 2048
const TOUCHED_SHARE = 4

/** Documents of one segment by number: no count is 0, ranks ascend. */
export interface RankCounts {
  readonly ranks: Uint32Array
  readonly counts: Uint32Array
}

/** Document counts of one segment by ordinal of one column, in borrowed arrays. */
export class SegmentCounts {
  readonly column: Column
  /** By ordinal; ordinal 0 counts documents without a value. */
  readonly ordCounts: Uint32Array<ArrayBuffer>
  /** The distinct counted ordinals; undefined: scan all. */
  #touched: Uint32Array<ArrayBuffer> | undefined
  #touchedCount = 0
  #isZero = false

  constructor(column: Column, touchedOrdsMin = TOUCHED_ORDS_MIN) {
    const { ordCount, ordBits } = column
    this.column = column
    this.ordCounts = borrowCounts(ordCount)
    const isLarge = ordBits !== 8 && ordCount > touchedOrdsMin
    this.#touched = isLarge ? borrowCounts(Math.ceil(ordCount / TOUCHED_SHARE)) : undefined
  }

  /** Adds the first `count` docOrds of a list. */
  add(docs: Uint32Array, count: number): void {
    const { column, ordCounts } = this
    const touched = this.#touched
    if (touched !== undefined && this.#touchedCount + count < touched.length) {
      const known = this.#touchedCount
      this.#touchedCount = countTouchedOrds(column, docs, count, ordCounts, touched, known)
      return
    }
    if (touched !== undefined) this.#forgetTouched(touched)
    countOrds(column, docs, count, ordCounts)
  }

  /**
   * Adds every live document and caches the counts until the live documents change.
   *
   * @param live undefined: all are live; replaced by another array, never modified, after deletes
   * @param owner any object with the lifetime of the segment
   */
  addLive(live: Uint32Array | undefined, owner: object): void {
    if (this.#touched !== undefined) this.#forgetTouched(this.#touched)
    this.ordCounts.set(liveCountsOf(this.column, live, owner))
  }

  /** Adds counts by ordinal and zeroes them. */
  addCounters(counters: Uint32Array): void {
    if (this.#touched !== undefined) this.#forgetTouched(this.#touched)
    const { ordCounts } = this
    for (let ord = 0; ord < ordCounts.length; ord++) ordCounts[ord]! += counters[ord]!
    counters.fill(0)
  }

  /**
   * Whether the counted ordinals are known and are values, so that `moveListed` scans only them.
   */
  get isListed(): boolean {
    return this.#touched !== undefined && !this.column.isMulti
  }

  /** Moves the counts of texts to their totals. @param totals by id */
  moveAll(totals: Uint32Array): void {
    this.#isZero = true
    const { column, ordCounts } = this
    if (!column.isMulti) return moveAll(ordCounts, 1, column.valueIds, totals)
    const rankCounts = this.#expand()
    moveAll(rankCounts, 0, column.valueIds, totals)
    giveBackCounts(rankCounts)
  }

  /**
   * The same for few texts out of many.
   *
   * @param ids receives those whose total was 0; with room for all plus one
   * @returns the new number of ids
   */
  moveListed(totals: Uint32Array, ids: Uint32Array, idCount: number): number {
    this.#isZero = true
    const { column, ordCounts } = this
    const { valueIds } = column
    if (column.isMulti) {
      const rankCounts = this.#expand()
      const ranks = listCounted(rankCounts)
      const count = moveListed(rankCounts, ranks, 0, valueIds, totals, ids, idCount)
      giveBackCounts(rankCounts)
      return count
    }
    const ords = this.#touched?.subarray(0, this.#touchedCount) ?? listCounted(ordCounts)
    return moveListed(ordCounts, ords, 1, valueIds, totals, ids, idCount)
  }

  /** The counts of numbers; zeroes them. */
  takeNumbers(): RankCounts {
    this.#isZero = true
    if (this.column.isMulti) {
      const rankCounts = this.#expand()
      const numbers = takeAll(rankCounts, 0)
      giveBackCounts(rankCounts)
      return numbers
    }
    if (this.#touched === undefined) return takeAll(this.ordCounts, 1)
    return takeSome(this.ordCounts, this.#touched.slice(0, this.#touchedCount).sort())
  }

  /** Returns the arrays. */
  release(): void {
    if (!this.#isZero) this.ordCounts.fill(0)
    if (this.#touched !== undefined) this.#forgetTouched(this.#touched)
    giveBackCounts(this.ordCounts)
  }

  /** @returns borrowed counts by rank; zeroes those of the sets */
  #expand(): Uint32Array<ArrayBuffer> {
    const { column, ordCounts } = this
    const rankCounts = borrowCounts(column.valueCount)
    const touched = this.#touched?.subarray(0, this.#touchedCount)
    if (touched === undefined) expandAll(column, ordCounts, rankCounts)
    else expandSome(column, ordCounts, touched, rankCounts)
    return rankCounts
  }

  #forgetTouched(touched: Uint32Array<ArrayBuffer>): void {
    giveBackCounts(touched.fill(0, 0, this.#touchedCount + 1))
    this.#touched = undefined
    this.#touchedCount = 0
  }
}

interface LiveCounts {
  readonly live: Uint32Array | undefined
  readonly ordCounts: Uint32Array
}

/** By segment, then by column: the most recent counts over live documents. */
const liveCounts = new WeakMap<object, Map<Column, LiveCounts>>()

function liveCountsOf(column: Column, live: Uint32Array | undefined, owner: object): Uint32Array {
  let byColumn = liveCounts.get(owner)
  if (byColumn === undefined) {
    byColumn = new Map()
    liveCounts.set(owner, byColumn)
  }
  let known = byColumn.get(column)
  if (known === undefined || known.live !== live) {
    known = { live, ordCounts: new Uint32Array(column.ordCount) }
    countLiveOrds(column, live, known.ordCounts)
    byColumn.set(column, known)
  }
  return known.ordCounts
}

// Inner loops: plain functions over typed arrays. All of them zero the counts that they read.

function expandAll(column: Column, setCounts: Uint32Array, rankCounts: Uint32Array): void {
  const { setStart, setValues } = column
  setCounts[0] = 0
  for (let set = 1; set < setCounts.length; set++) {
    const count = setCounts[set]!
    if (count === 0) continue
    setCounts[set] = 0
    const end = setStart[set + 1]!
    for (let i = setStart[set]!; i < end; i++) rankCounts[setValues[i]!]! += count
  }
}

function expandSome(
  column: Column,
  setCounts: Uint32Array,
  sets: Uint32Array,
  rankCounts: Uint32Array,
): void {
  const { setStart, setValues } = column
  for (let s = 0; s < sets.length; s++) {
    const set = sets[s]!
    const count = setCounts[set]!
    setCounts[set] = 0
    const end = setStart[set + 1]!
    for (let i = setStart[set]!; i < end; i++) rankCounts[setValues[i]!]! += count
  }
}

/**
 * No branch skips ordinals without a count: it would be unpredictable.
 *
 * @param first index of rank 0 in `counts`; earlier entries are only zeroed
 */
function moveAll(
  counts: Uint32Array,
  first: number,
  valueIds: Uint32Array,
  totals: Uint32Array,
): void {
  for (let i = first; i < counts.length; i++) {
    const id = valueIds[i - first]!
    totals[id] = (totals[id]! + counts[i]!) | 0
  }
  counts.fill(0)
}

function listCounted(counts: Uint32Array): Uint32Array {
  const list = new Uint32Array(counts.length + 1)
  let length = 0
  for (let i = 0; i < counts.length; i++) {
    list[length] = i
    length += -(counts[i]! | 0) >>> 31
  }
  return list.subarray(0, length)
}

/** @param list of indexes in `counts`, possibly some before `first` */
function moveListed(
  counts: Uint32Array,
  list: Uint32Array,
  first: number,
  valueIds: Uint32Array,
  totals: Uint32Array,
  ids: Uint32Array,
  idCount: number,
): number {
  let length = idCount
  for (let i = 0; i < list.length; i++) {
    const at = list[i]!
    const count = counts[at]!
    counts[at] = 0
    if (at < first) continue
    const id = valueIds[at - first]!
    const total = totals[id]! | 0
    ids[length] = id
    // 1 if it was 0, without a branch.
    length += (total - 1) >>> 31
    totals[id] = total + count
  }
  return length
}

/** @param first index of rank 0 in `given`; earlier entries are only zeroed */
function takeAll(given: Uint32Array, first: number): RankCounts {
  let length = 0
  for (let i = 0; i < first; i++) given[i] = 0
  for (let i = first; i < given.length; i++) if (given[i] !== 0) length++
  const ranks = new Uint32Array(length)
  const counts = new Uint32Array(length)
  let at = 0
  for (let i = first; i < given.length; i++) {
    if (given[i] === 0) continue
    ranks[at] = i - first
    counts[at++] = given[i]!
    given[i] = 0
  }
  return { ranks, counts }
}

/** @param ords counted ordinals, ascending; the result owns them */
function takeSome(ordCounts: Uint32Array, ords: Uint32Array): RankCounts {
  const isMissing = ords.length > 0 && ords[0] === 0
  const ranks = isMissing ? ords.subarray(1) : ords
  const counts = new Uint32Array(ranks.length)
  ordCounts[0] = 0
  for (let i = 0; i < ranks.length; i++) {
    const ord = ranks[i]!
    counts[i] = ordCounts[ord]!
    ordCounts[ord] = 0
    ranks[i] = ord - 1
  }
  return { ranks, counts }
}
