import type { Analyzer } from '@aisle/engine'
import { raiseVisitor, VISITOR, VISITOR_LENGTH, type VisitorDays } from '../history/visitor-days.ts'
import { CELL, CELL_LENGTH, type DayCells } from '../history/day-cells.ts'
import type { QueryRecord, QueryTable } from '../history/query-table.ts'
import { readQuery, type QueryText } from '../text/query-text.ts'
import { prepareQuery, preparedRecord, type PreparedQuery } from './prepared-query.ts'
import type { Spellings } from './spelling-book.ts'

/** A query as it is suggested, with the counts of all its spellings. */
export interface MeantQuery {
  readonly key: string
  readonly prepared: PreparedQuery
  readonly record: QueryRecord
  /** Whether its correction by the spelling rules is known. */
  readonly isSpelt: boolean
}

export interface MeantQueries {
  readonly queries: readonly MeantQuery[]
  /** Keys of misspelt queries, with the keys of their corrections. */
  readonly renamed: ReadonlyMap<string, string>
}

/** Queries per step. */
const STEP_QUERIES = 256

/** Queries that visitors searched for; misspelt ones count for their correction. */
export function* meantQueries(
  { queries }: Pick<QueryTable, 'queries'>,
  spellings: Spellings | undefined,
  analyzer: Analyzer,
): Generator<void, MeantQueries> {
  const right: MeantQuery[] = []
  const renamed = new Map<string, string>()
  const misspelt = new Map<string, { readonly meant: QueryText; readonly records: QueryRecord[] }>()
  let count = 0
  for (const [key, record] of queries) {
    if (++count % STEP_QUERIES === 0) yield
    const prepared = preparedRecord(record, analyzer)
    const spelling = spellings?.of(prepared.shown, prepared.words)
    const isSpelt = spelling !== undefined
    if (spelling?.meant === undefined) {
      right.push({ key, prepared, record, isSpelt })
      continue
    }
    const meant = readQuery(spelling.meant, analyzer)
    if (meant?.key === key) {
      right.push({ key, prepared: prepareQuery(meant.shown, analyzer), record, isSpelt })
    } else if (meant !== undefined) {
      renamed.set(key, meant.key)
      const others = misspelt.get(meant.key)
      if (others === undefined) misspelt.set(meant.key, { meant, records: [record] })
      else others.records.push(record)
    }
  }
  if (misspelt.size === 0) return { queries: right, renamed }
  yield
  const all = right.map((query) => {
    const others = misspelt.get(query.key)
    if (others === undefined) return query
    misspelt.delete(query.key)
    return { ...query, record: added([query.record, ...others.records], renamed) }
  })
  for (const [key, { meant, records }] of misspelt) {
    const prepared = prepareQuery(meant.shown, analyzer)
    all.push({ key, prepared, record: added(records, renamed), isSpelt: true })
  }
  return { queries: all, renamed }
}

/** Merges the counts of the spellings of a query. Distinct visitors and networks stay distinct. */
function added(records: readonly QueryRecord[], renamed: ReadonlyMap<string, string>): QueryRecord {
  const sum: QueryRecord = {
    variants: new Map(),
    cells: addedCells(records),
    visitors: [],
    taggedVisitors: [],
    networks: new Map(),
    related: new Map(),
  }
  for (const { visitors, taggedVisitors, networks, related } of records) {
    addVisitors(sum.visitors, visitors)
    addVisitors(sum.taggedVisitors, taggedVisitors)
    for (const [network, day] of networks)
      sum.networks.set(network, Math.max(day, sum.networks.get(network) ?? 0))
    for (const [other, sessions] of related) {
      const key = renamed.get(other) ?? other
      sum.related.set(key, (sum.related.get(key) ?? 0) + sessions)
    }
  }
  return sum
}

function addedCells(records: readonly QueryRecord[]): DayCells {
  const places = new Map<string, number>()
  const sum: DayCells = []
  for (const { cells } of records) {
    for (let at = 0; at < cells.length; at += CELL_LENGTH) {
      const name = `${cells[at]} ${cells[at + CELL.tagSet]}`
      const place = places.get(name)
      if (place === undefined) {
        places.set(name, sum.length)
        for (let i = 0; i < CELL_LENGTH; i++) sum.push(cells[at + i]!)
        continue
      }
      for (let i = CELL.sessions; i < CELL_LENGTH; i++) sum[place + i]! += cells[at + i]!
    }
  }
  return sum
}

function addVisitors(sum: VisitorDays, visitors: VisitorDays): void {
  for (let at = 0; at < visitors.length; at += VISITOR_LENGTH) {
    const [hash, tagSet, day] = [VISITOR.hash, VISITOR.tagSet, VISITOR.day].map(
      (i) => visitors[at + i]!,
    )
    raiseVisitor(sum, hash!, tagSet!, day!)
  }
}
