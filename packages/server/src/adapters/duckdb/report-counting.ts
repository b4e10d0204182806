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

/** Figures of searches and of their actions, grouped by an expression that both have. */
export async function searchCounts(
  { session, parameters }: ReportView,
  by: string,
  where = 'TRUE',
): Promise<Map<string, SearchCounts>> {
  const searches = await session.rows(
    `SELECT ${by} AS by, count(*) AS searches, count(DISTINCT person) AS users,
       count(DISTINCT session) AS sessions, count(found) AS counted, coalesce(sum(found), 0) AS found_sum,
       count(*) FILTER (found = 0) AS no_result,
       count(*) FILTER (key IN (${searchesWith(IS_CLICK)})) AS clicked,
       count(*) FILTER (key IN (${searchesWith(IS_CONVERTING)})) AS converted
     FROM period WHERE ${where} GROUP BY 1`,
    parameters,
  )
  const fromSearch = `(${IS_CONVERTING} AND query IS NOT NULL)`
  const acts = await session.rows(
    `SELECT ${by} AS by, count(*) FILTER (${IS_CLICK}) AS clicks,
       count(rank) FILTER (${IS_CLICK}) AS ranked,
       coalesce(sum(rank) FILTER (${IS_CLICK}), 0) AS rank_sum,
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
  const keyOf = (row: SqlRow): string => String(row['by'])
  for (const row of searches) {
    counts.set(keyOf(row), {
      ...NO_SEARCHES,
      searches: number(row, 'searches'),
      users: number(row, 'users'),
      sessions: number(row, 'sessions'),
      countedSearches: number(row, 'counted'),
      foundSum: number(row, 'found_sum'),
      noResultSearches: number(row, 'no_result'),
      clickedSearches: number(row, 'clicked'),
      convertedSearches: number(row, 'converted'),
    })
  }
  for (const row of acts) {
    counts.set(keyOf(row), {
      ...(counts.get(keyOf(row)) ?? NO_SEARCHES),
      clicks: number(row, 'clicks'),
      rankedClicks: number(row, 'ranked'),
      rankSum: number(row, 'rank_sum'),
      conversions: number(row, 'conversions'),
      orders: number(row, 'orders'),
      revenue: revenue.get(keyOf(row)) ?? [],
    })
  }
  return counts
}

export async function queryCounts(
  { session, parameters }: ReportView,
  where: string,
): Promise<Content<'no-results'>> {
  const totals = await session.row(
    `SELECT count(*) AS searches, count(DISTINCT query) AS queries FROM period WHERE ${where}`,
    parameters,
  )
  const rows = await session.rows(
    `SELECT query, count(*) AS searches, count(DISTINCT person) AS users FROM period
     WHERE ${where} GROUP BY query ORDER BY searches DESC, query LIMIT $limit`,
    parameters,
  )
  return {
    totals: { queries: number(totals, 'queries'), searches: number(totals, 'searches') },
    rows: rows.map((row) => ({
      query: String(row['query']),
      searches: number(row, 'searches'),
      users: number(row, 'users'),
    })),
  }
}

/** @param items one row per item sold */
export async function saleCounts(
  { session, parameters }: ReportView,
  items: string,
  order: string,
): Promise<Content<'conversions'>> {
  const inPeriod = `matching WHERE ${IN_PERIOD} AND ${IS_CONVERTING}`
  const totals = await session.row(
    `SELECT count(*) AS conversions, count(DISTINCT ${ORDER_KEY}) AS orders FROM ${inPeriod}`,
    parameters,
  )
  const revenue = await moneyBy(
    session,
    "'all'",
    `(SELECT * FROM ${inPeriod} AND amount IS NOT NULL)`,
    parameters,
  )
  const rows = await session.rows(
    `SELECT query, document_id, currency, count(DISTINCT position) AS conversions,
       count(DISTINCT ${ORDER_KEY}) AS orders, sum(amount) AS revenue
     FROM (${items})
     GROUP BY query, document_id, currency
     ORDER BY ${order}, query NULLS LAST, document_id NULLS LAST, currency NULLS LAST
     LIMIT $limit`,
    parameters,
  )
  return {
    totals: {
      conversions: number(totals, 'conversions'),
      orders: number(totals, 'orders'),
      revenue: revenue.get('all') ?? [],
    },
    rows: rows.map((row): SaleRow => ({
      query: text(row, 'query'),
      documentId: text(row, 'document_id'),
      conversions: number(row, 'conversions'),
      orders: number(row, 'orders'),
      revenue: row['revenue'] === null ? null : number(row, 'revenue'),
      currency: text(row, 'currency'),
    })),
  }
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
  const rows = await session.rows(
    `SELECT ${by} AS by, currency, sum(amount) AS amount FROM ${amounts}
     GROUP BY 1, 2 ORDER BY 1, 2 NULLS LAST`,
    parameters,
  )
  const money = new Map<string, Money[]>()
  for (const row of rows) {
    const key = String(row['by'])
    const sums = money.get(key) ?? []
    sums.push({ currency: text(row, 'currency'), amount: number(row, 'amount') })
    money.set(key, sums)
  }
  return money
}

/** Searches that an action of this kind belongs to; a list without NULL, for IN and NOT IN. */
export function searchesWith(isKind: string): string {
  return `SELECT search FROM matching WHERE ${isKind} AND search IS NOT NULL`
}

export function number(row: SqlRow, name: string): number {
  return Number(row[name])
}

function text(row: SqlRow, name: string): string | null {
  const value = row[name]
  return value === null || value === undefined ? null : String(value)
}
