import { GrowableU32 } from '../../codec/growable.ts'
import type { Column } from '../../columns/column-reader.ts'
import { countLiveOrds, countOrds, countTouchedOrds } from '../../columns/ordinal-kernels.ts'
import type { RankCounts } from './facet-totals.ts'

/** From this many ordinals on, the counted ones are recorded instead of searched for. */
const TOUCHED_ORDS_MIN = 2048

/** Document counts of one segment by ordinal of one column. */
export class SegmentCounts {
  readonly column: Column
  /** By ordinal; ordinal 0 stands for documents without a value. */
  readonly ordCounts: Uint32Array
  /** Columns of very many ordinals: those that were counted, so that the others need no look. */
  readonly #touched: GrowableU32 | undefined

  constructor(column: Column) {
    this.column = column
    this.ordCounts = new Uint32Array(column.ordCount)
    const isLarge = column.ordBits !== 8 && column.ordCount > TOUCHED_ORDS_MIN
    this.#touched = isLarge ? new GrowableU32() : undefined
  }

  add(docs: Uint32Array, count: number): void {
    const { column, ordCounts } = this
    if (this.#touched === undefined) countOrds(column, docs, count, ordCounts)
    else countTouchedOrds(column, docs, count, ordCounts, this.#touched)
  }

  /** By value; set ordinals are resolved into their values. */
  byRank(): RankCounts {
    const touched = this.#touched
    if (touched === undefined) return countsByRank(this.column, this.ordCounts, undefined)
    return countsByRank(this.column, this.ordCounts, touched.data.subarray(0, touched.length))
  }
}

/** Counts over every live document of a segment. */
export interface LiveCounts {
  readonly live: Uint32Array | undefined
  readonly ordCounts: Uint32Array
  readonly byRank: RankCounts
}

/** By segment, then by column: the most recent counts over live documents. */
const liveCounts = new WeakMap<object, Map<Column, LiveCounts>>()

/**
 * Counts every live document. The result is reused until documents die.
 *
 * @param live replaced by another array, never changed, when documents die
 * @param owner any object that lives as long as the segment
 */
export function countLive(
  column: Column,
  live: Uint32Array | undefined,
  owner: object,
): LiveCounts {
  let byColumn = liveCounts.get(owner)
  if (byColumn === undefined) {
    byColumn = new Map()
    liveCounts.set(owner, byColumn)
  }
  let known = byColumn.get(column)
  if (known === undefined || known.live !== live) {
    const ordCounts = new Uint32Array(column.ordCount)
    countLiveOrds(column, live, ordCounts)
    known = { live, ordCounts, byRank: countsByRank(column, ordCounts, undefined) }
    byColumn.set(column, known)
  }
  return known
}

/** @param ords the ordinals to visit, in any order; undefined: all */
function countsByRank(
  column: Column,
  ordCounts: Uint32Array,
  ords: Uint32Array | undefined,
): RankCounts {
  if (column.isMulti) {
    const rankCounts = new Uint32Array(column.valueCount)
    if (ords === undefined) expandAll(column, ordCounts, rankCounts)
    else expandSome(column, ordCounts, ords, rankCounts)
    return compact(rankCounts)
  }
  if (ords === undefined) return compact(ordCounts.subarray(1))
  let length = 0
  let ranks = new Uint32Array(ords.length)
  for (let i = 0; i < ords.length; i++) {
    ranks[length] = ords[i]!
    length += ords[i] === 0 ? 0 : 1
  }
  ranks = ranks.subarray(0, length)
  if (column.type !== 'string') ranks.sort()
  const counts = new Uint32Array(ranks.length)
  for (let i = 0; i < ranks.length; i++) {
    counts[i] = ordCounts[ranks[i]!]!
    ranks[i]!--
  }
  return { ranks, counts }
}

function expandAll(column: Column, setCounts: Uint32Array, rankCounts: Uint32Array): void {
  const { setStart, setValues } = column
  for (let set = 1; set < setCounts.length; set++) {
    const count = setCounts[set]!
    if (count === 0) continue
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
    const end = setStart[set + 1]!
    for (let i = setStart[set]!; i < end; i++) rankCounts[setValues[i]!]! += setCounts[set]!
  }
}

/** @param rankCounts by rank */
function compact(rankCounts: Uint32Array): RankCounts {
  let length = 0
  for (let rank = 0; rank < rankCounts.length; rank++) if (rankCounts[rank] !== 0) length++
  const ranks = new Uint32Array(length)
  const counts = new Uint32Array(length)
  let at = 0
  for (let rank = 0; rank < rankCounts.length; rank++) {
    if (rankCounts[rank] === 0) continue
    ranks[at] = rank
    counts[at++] = rankCounts[rank]!
  }
  return { ranks, counts }
}
