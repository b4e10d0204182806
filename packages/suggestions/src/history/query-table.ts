import { SUGGESTION_NETWORKS_MAX as NETWORKS_MAX } from '@aisle/contract'
import type { QueryText } from '../text/query-text.ts'
import {
  CELL,
  CELL_LENGTH,
  cellsSince,
  raiseCell,
  type Counted,
  type DayCells,
} from './day-cells.ts'
import { raiseVisitor, visitorsSince, type VisitorDays } from './visitor-days.ts'

/** Days to keep: those of the longest window including today, and one more. */
export const KEPT_DAYS = 92
/** Maximum of distinct queries per store; beyond it, the rarest are forgotten. */
const QUERIES_MAX = 400_000
const QUERIES_KEPT = 300_000
/** Maximum of spellings per query, to show the commonest. */
const VARIANTS_MAX = 8
const RELATED_MAX = 16
/** Maximum of distinct sets of tags per store; events with further ones count as untagged. */
const TAG_SETS_MAX = 1_000

/** A query with all its near-duplicates. */
export interface QueryRecord {
  /** Sessions by spelling. */
  readonly variants: Map<string, number>
  cells: DayCells
  visitors: VisitorDays
  /** Visitors of its searches with tags; separate, so that invented tags evict nothing. */
  taggedVisitors: VisitorDays
  /** Networks of its searches, with the last day. */
  readonly networks: Map<string, number>
  /**
   * Queries of the same sessions; Misra-Gries counts, which may be too small but never too large.
   */
  readonly related: Map<string, number>
}

export interface CountedVisitor {
  readonly hash: number
  readonly network: string | undefined
}

/** The counts by query. */
export class QueryTable {
  readonly queries: Map<string, QueryRecord>
  /** Sorted tags by number; 0 is untagged. */
  readonly tagSets: (readonly string[])[]
  /** Increases with everything that is counted. */
  changes = 0
  readonly #setNumbers: Map<string, number>
  #today = 0

  constructor(
    queries: Map<string, QueryRecord> = new Map(),
    tagSets: readonly (readonly string[])[] = [[]],
  ) {
    this.queries = queries
    this.tagSets = [...tagSets]
    this.#setNumbers = new Map(this.tagSets.map((tags, number) => [tags.join('\n'), number]))
  }

  tagSetOf(tags: readonly string[]): number {
    if (tags.length === 0) return 0
    const sorted = [...new Set(tags)].toSorted()
    const name = sorted.join('\n')
    const known = this.#setNumbers.get(name)
    if (known !== undefined) return known
    if (this.tagSets.length > TAG_SETS_MAX) return 0
    this.#setNumbers.set(name, this.tagSets.length)
    return this.tagSets.push(sorted) - 1
  }

  /** @param by whose session is counted: hashes of the visitor and the network */
  raise(text: QueryText, day: number, tagSet: number, counted: Counted, by?: CountedVisitor): void {
    if (day <= this.#today - KEPT_DAYS) return
    let record = this.queries.get(text.key)
    if (record === undefined) {
      if (this.queries.size >= QUERIES_MAX) this.#forgetRarest()
      record = {
        variants: new Map(),
        cells: [],
        visitors: [],
        taggedVisitors: [],
        networks: new Map(),
        related: new Map(),
      }
      this.queries.set(text.key, record)
    }
    this.changes++
    raiseCell(record.cells, day, tagSet, counted)
    if (counted === 'sessions' && tagSet === 0) raiseVariant(record.variants, text.shown)
    if (by === undefined) return
    raiseVisitor(tagSet === 0 ? record.visitors : record.taggedVisitors, by.hash, tagSet, day)
    if (by.network !== undefined) keepNetwork(record.networks, by.network, day)
  }

  relate(key: string, other: string): void {
    if (key === other) return
    const [one, two] = [this.queries.get(key), this.queries.get(other)]
    if (one === undefined || two === undefined) return
    raiseRelated(one.related, other)
    raiseRelated(two.related, key)
  }

  /** Starts a day: drops everything older than all windows. */
  forgetBefore(today: number): void {
    this.#today = today
    const firstDay = today - KEPT_DAYS + 1
    for (const [key, record] of this.queries) {
      record.cells = cellsSince(record.cells, firstDay)
      record.visitors = visitorsSince(record.visitors, firstDay)
      record.taggedVisitors = visitorsSince(record.taggedVisitors, firstDay)
      if (record.cells.length === 0) this.queries.delete(key)
    }
  }

  #forgetRarest(): void {
    const ranked = [...this.queries].map(([key, { cells }]) => {
      let sessions = 0
      for (let at = 0; at < cells.length; at += CELL_LENGTH) {
        if (cells[at + CELL.tagSet] === 0) sessions += cells[at + CELL.sessions]!
      }
      return { key, sessions, lastDay: Math.max(...daysOf(cells)) }
    })
    ranked.sort((a, b) => b.sessions - a.sessions || b.lastDay - a.lastDay)
    for (const { key } of ranked.slice(QUERIES_KEPT)) this.queries.delete(key)
  }
}

function daysOf(cells: DayCells): number[] {
  const days: number[] = []
  for (let at = 0; at < cells.length; at += CELL_LENGTH) days.push(cells[at]!)
  return days
}

function raiseVariant(variants: Map<string, number>, shown: string): void {
  variants.set(shown, (variants.get(shown) ?? 0) + 1)
  if (variants.size <= VARIANTS_MAX) return
  let rarest = shown
  for (const [variant, count] of variants) {
    if (variant !== shown && (rarest === shown || count < variants.get(rarest)!)) rarest = variant
  }
  variants.delete(rarest)
}

function keepNetwork(networks: Map<string, number>, network: string, day: number): void {
  networks.set(network, Math.max(day, networks.get(network) ?? 0))
  if (networks.size <= NETWORKS_MAX) return
  let oldest = network
  for (const [other, lastDay] of networks) if (lastDay < networks.get(oldest)!) oldest = other
  networks.delete(oldest)
}

/** Misra and Gries, "Finding repeated elements", 1982. */
function raiseRelated(related: Map<string, number>, key: string): void {
  const count = related.get(key)
  if (count !== undefined || related.size < RELATED_MAX) {
    related.set(key, (count ?? 0) + 1)
    return
  }
  for (const [other, times] of related) {
    if (times === 1) related.delete(other)
    else related.set(other, times - 1)
  }
}

/** Returns the commonest spelling; ties go to the first by code unit. */
export function shownVariant(variants: ReadonlyMap<string, number>): string {
  let best = ''
  let most = 0
  for (const [variant, count] of variants) {
    if (count > most || (count === most && variant < best)) [best, most] = [variant, count]
  }
  return best
}
