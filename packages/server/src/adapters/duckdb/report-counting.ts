import type { ReportName } from '@aisle/contract'
import { NO_SEARCHES } from '@aisle/event-log'
import type { CountsByReport, Money, SaleRow, SearchCounts } from '@aisle/event-log'
import { IN_PERIOD, IS_CLICK, IS_CONVERTING, ORDER_KEY, type ReportView } from './report-view.ts'
import type { SqlRow, SqlSession } from './sql-session.ts'

/** The specific part of a report, without the fields that all reports have. */
export type Content<Name extends ReportName> = Omit<
  CountsByReport[Name],
  'reportsClicks' | 'reportsConversions'
>

export type Totals<Name extends ReportName> = CountsByReport[Name]['totals']
export type Row<Name extends ReportName> = CountsByReport[Name]['rows'][number]

/** Figures of searches and of their actions, grouped by an expression that both have. */
export async function searchCounts(
  { session, parameters }: ReportView,
  by: string,
  where = 'TRUE',
): Promise<Map<string, SearchCounts>> {
  const searches = await session.rows<SearchCounts & Grouped>(
    `SELECT ${by} AS by, count(*) AS searches, count(DISTINCT person) AS users,
       count(DISTINCT session) AS sessions, count(found) AS countedSearches,
       coalesce(sum(found), 0) AS foundSum, count(*) FILTER (found = 0) AS noResultSearches,
       count(*) FILTER (key IN (${searchesWith(IS_CLICK)})) AS clickedSearches,
       count(*) FILTER (key IN (${searchesWith(IS_CONVERTING)})) AS convertedSearches
     FROM period WHERE ${where} GROUP BY 1`,
    parameters,
  )
  const fromSearch = `(${IS_CONVERTING} AND query IS NOT NULL)`
  const acts = await session.rows<SearchCounts & Grouped>(
    `SELECT ${by} AS by, count(*) FILTER (${IS_CLICK}) AS clicks,
       count(rank) FILTER (${IS_CLICK}) AS rankedClicks,
       coalesce(sum(rank) FILTER (${IS_CLICK}), 0) AS rankSum,
       count(*) FILTER (${fromSearch}) AS conversions,
       count(DISTINCT ${ORDER_KEY}) FILTER (${fromSearch}) AS orders
     FROM matching WHERE ${IN_PERIOD} AND ${where} GROUP BY 1`,
    parameters,
  )
  const revenue = await moneyBy(
    session,
    by,
    `(SELECT * FROM matching
      WHERE ${IN_PERIOD} AND ${where} AND ${fromSearch} AND amount IS NOT NULL)`,
    parameters,
  )
  const counts = new Map<string, SearchCounts>()
  for (const { by: group, ...counted } of searches) {
    counts.set(String(group), { ...NO_SEARCHES, ...counted })
  }
  for (const { by: group, ...counted } of acts) {
    const key = String(group)
    const before = counts.get(key) ?? NO_SEARCHES
    counts.set(key, { ...before, ...counted, revenue: revenue.get(key) ?? [] })
  }
  return counts
}

interface Grouped {
  /** Value of the expression by which rows are grouped. */
  readonly by: string | number | null
}

export async function queryCounts(
  { session, parameters }: ReportView,
  where: string,
): Promise<Content<'no-results'>> {
  const totals = await session.row<Totals<'no-results'>>(
    `SELECT count(DISTINCT query) AS queries, count(*) AS searches FROM period WHERE ${where}`,
    parameters,
  )
  const rows = await session.rows<Row<'no-results'>>(
    `SELECT query, count(*) AS searches, count(DISTINCT person) AS users FROM period
     WHERE ${where} GROUP BY query ORDER BY searches DESC, query LIMIT $limit`,
    parameters,
  )
  return { totals, rows }
}

/** @param items one row per item sold */
export async function saleCounts(
  { session, parameters }: ReportView,
  items: string,
  order: string,
): Promise<Content<'conversions'>> {
  const inPeriod = `matching WHERE ${IN_PERIOD} AND ${IS_CONVERTING}`
  const totals = await session.row<Omit<Totals<'conversions'>, 'revenue'>>(
    `SELECT count(*) AS conversions, count(DISTINCT ${ORDER_KEY}) AS orders FROM ${inPeriod}`,
    parameters,
  )
  const revenue = await moneyBy(
    session,
    "'all'",
    `(SELECT * FROM ${inPeriod} AND amount IS NOT NULL)`,
    parameters,
  )
  const rows = await session.rows<SaleRow>(
    `SELECT query, document_id AS documentId, currency, count(DISTINCT position) AS conversions,
       count(DISTINCT ${ORDER_KEY}) AS orders, sum(amount) AS revenue
     FROM (${items})
     GROUP BY query, document_id, currency
     ORDER BY ${order}, query NULLS LAST, document_id NULLS LAST, currency NULLS LAST
     LIMIT $limit`,
    parameters,
  )
  return { totals: { ...totals, revenue: revenue.get('all') ?? [] }, rows }
}

/**
 * Sums by an expression and currency, the unknown one last.
 * @param amounts rows with amount and currency
 */
export async function moneyBy(
  session: SqlSession,
  by: string,
  amounts: string,
  parameters: ReportView['parameters'],
): Promise<Map<string, Money[]>> {
  const rows = await session.rows<Money & Grouped>(
    `SELECT ${by} AS by, currency, sum(amount) AS amount FROM ${amounts}
     GROUP BY 1, 2 ORDER BY 1, 2 NULLS LAST`,
    parameters,
  )
  const groups = Map.groupBy(rows, (row) => String(row.by))
  return new Map(
    groups.entries().map(([key, sums]) => {
      return [key, sums.map(({ currency, amount }) => ({ currency, amount }))]
    }),
  )
}

/** Searches that an action of this kind belongs to; a list without NULL, for IN and NOT IN. */
export function searchesWith(isKind: string): string {
  return `SELECT search FROM matching WHERE ${isKind} AND search IS NOT NULL`
}

export function number(row: SqlRow, name: string): number {
  return Number(row[name])
}
