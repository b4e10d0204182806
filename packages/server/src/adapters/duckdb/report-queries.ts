import { EVENT_VERDICTS, type EventVerdict, type ReportName } from '@aisle/contract'
import { FUNNEL_STEPS, LATENCY_SHARES, NO_SEARCHES } from '@aisle/event-log'
import type { FunnelRow, Latency, ReportCounts, ReportQuery } from '@aisle/event-log'
import {
  CURRENCY,
  hasTags,
  isAbout,
  IN_PERIOD,
  IS_ADD,
  IS_CLICK,
  IS_CONVERTING,
  IS_SALE,
  openView,
  personOf,
  startOf,
  type ReportView,
} from './report-view.ts'
import {
  moneyBy,
  number,
  queryCounts,
  saleCounts,
  searchCounts,
  searchesWith,
  type Content,
  type Row,
  type Totals,
} from './report-counting.ts'
import { countJudgments } from './judgment-counting.ts'
import { countUses } from './use-counting.ts'
import { countExperiments, countTrial } from './experiment-counting.ts'
import { countMissedSearches } from './missed-search-counting.ts'
import { countReformulations } from './reformulation-counting.ts'
import type { SqlRow, SqlSession } from './sql-session.ts'

/** `naiveReport` in SQL. */
export async function countReport(session: SqlSession, query: ReportQuery): Promise<ReportCounts> {
  const view = await openView(session, query)
  const { reportsClicks, reportsConversions } = view
  const counts = await REPORTS[query.report](view)
  return { reportsClicks, reportsConversions, ...counts } as ReportCounts
}

type Maker<Name extends ReportName> = (view: ReportView) => Promise<Content<Name>>

const REPORTS: { readonly [Name in ReportName]: Maker<Name> } = {
  async overview(view) {
    const totals = (await searchCounts(view, "'all'")).get('all') ?? NO_SEARCHES
    const rows = await searchCounts(view, startOf(view.query))
    return {
      totals,
      rows: [...rows]
        .map(([startMs, counts]) => ({ startMs: Number(startMs), ...counts }))
        .toSorted((a, b) => a.startMs - b.startMs),
    }
  },

  async 'top-queries'(view) {
    const { totals, rows } = await queryCounts(view, 'TRUE')
    await view.session.run(
      `CREATE OR REPLACE TEMP TABLE top AS
       SELECT query FROM period GROUP BY query ORDER BY count(*) DESC, query LIMIT $limit`,
      view.parameters,
    )
    const counts = await searchCounts(view, 'query', 'query IN (SELECT query FROM top)')
    return {
      totals,
      rows: rows.map(({ query }) => ({ query, ...counts.get(query)! })),
    }
  },

  'no-results': (view) => queryCounts(view, 'found = 0'),

  'no-clicks': (view) =>
    queryCounts(
      view,
      view.reportsClicks
        ? `found IS DISTINCT FROM 0 AND key NOT IN (${searchesWith(IS_CLICK)})`
        : 'FALSE',
    ),

  async clicks({ session, parameters }) {
    const totals = await session.row<Totals<'clicks'>>(
      `SELECT count(*) AS clicks, count(rank) AS rankedClicks, coalesce(sum(rank), 0) AS rankSum
       FROM matching WHERE ${IN_PERIOD} AND ${IS_CLICK}`,
      parameters,
    )
    const rows = await session.rows<Row<'clicks'>>(
      `SELECT rank AS position, count(*) AS clicks FROM matching
       WHERE ${IN_PERIOD} AND ${IS_CLICK} AND rank IS NOT NULL
       GROUP BY rank ORDER BY rank LIMIT $limit`,
      parameters,
    )
    return { totals, rows }
  },

  conversions: (view) =>
    saleCounts(
      view,
      `SELECT m.position, m.kind, m.order_id, m.query, i.document_id, i.amount,
         CASE WHEN m.amount IS NULL THEN NULL ELSE m.currency END AS currency
       FROM matching m JOIN items i ON i.position = m.position
       WHERE m.at_ms >= $from_ms AND m.at_ms < $to_ms AND m.${IS_CONVERTING}`,
      'conversions DESC',
    ),

  revenue: (view) =>
    saleCounts(
      view,
      `SELECT position, kind, order_id, query, NULL::VARCHAR AS document_id, amount,
         ${CURRENCY} AS currency
       FROM matching WHERE ${IN_PERIOD} AND ${IS_CONVERTING}`,
      'revenue DESC NULLS LAST',
    ),

  async funnel({ session, parameters, reportsClicks, reportsAdds, reportsOrders }) {
    const row = await session.row(
      `SELECT count(*) AS search,
         count(*) FILTER (clicked OR added OR ordered) AS click,
         count(*) FILTER (added OR ordered) AS add,
         count(*) FILTER (ordered) AS order
       FROM (SELECT
         key IN (${searchesWith(IS_CLICK)}) AS clicked,
         key IN (${searchesWith(IS_ADD)}) AS added,
         key IN (${searchesWith(IS_SALE)}) AS ordered FROM period)`,
      parameters,
    )
    const reported = [true, reportsClicks, reportsAdds, reportsOrders]
    const rows = FUNNEL_STEPS.map((step, i): FunnelRow => ({
      step,
      journeys: number(row, step),
      isReported: reported.slice(i).includes(true),
    }))
    return { totals: { journeys: number(row, 'search') }, rows }
  },

  async 'top-documents'({ session, query, parameters }) {
    await session.run(
      `CREATE OR REPLACE TEMP TABLE documents AS
       WITH impressions AS (
         SELECT s.document_id,
           count(DISTINCT coalesce('i' || a.search_id, 'p' || a.position)) AS impressions
         FROM shown s JOIN activity a ON a.position = s.position
         LEFT JOIN ids i ON i.search_id = a.search_id
         LEFT JOIN searches f ON f.key = i.final
         WHERE a.kind = 'shown' AND a.at_ms >= $from_ms AND a.at_ms < $to_ms
           AND (${hasTags(query, 'a.tags')} OR ${hasTags(query, 'f.tags')})
           AND ${isAbout(query, 'f.query')}
         GROUP BY s.document_id),
       clicks AS (
         SELECT document_id, count(*) AS clicks FROM matching
         WHERE ${IN_PERIOD} AND ${IS_CLICK} AND document_id IS NOT NULL GROUP BY document_id),
       sold AS (
         SELECT i.document_id, count(DISTINCT m.position) AS conversions,
           coalesce(sum(i.amount), 0) AS revenue
         FROM matching m JOIN items i ON i.position = m.position
         WHERE m.at_ms >= $from_ms AND m.at_ms < $to_ms AND m.${IS_CONVERTING}
           AND i.document_id IS NOT NULL
         GROUP BY i.document_id)
       SELECT document_id AS documentId, coalesce(impressions, 0) AS impressions,
         coalesce(clicks, 0) AS clicks, coalesce(conversions, 0) AS conversions,
         coalesce(revenue, 0) AS revenue
       FROM impressions FULL JOIN clicks USING (document_id) FULL JOIN sold USING (document_id)`,
      parameters,
    )
    const rows = await session.rows<Omit<Row<'top-documents'>, 'revenue'>>(
      `SELECT * FROM documents
       ORDER BY ${query.orderBy} DESC, documentId LIMIT $limit`,
      parameters,
    )
    const documents = await session.row<{ documents: number; impressions: number }>(
      'SELECT count(*) AS documents, coalesce(sum(impressions), 0) AS impressions FROM documents',
    )
    const acts = await session.row<{ clicks: number; conversions: number }>(
      `SELECT count(*) FILTER (${IS_CLICK} AND document_id IS NOT NULL) AS clicks,
         count(*) FILTER (${IS_CONVERTING}) AS conversions
       FROM matching WHERE ${IN_PERIOD}`,
      parameters,
    )
    const items = `(
      SELECT i.document_id, i.amount, m.currency
      FROM matching m JOIN items i ON i.position = m.position
      WHERE m.at_ms >= $from_ms AND m.at_ms < $to_ms AND m.${IS_CONVERTING}
        AND m.amount IS NOT NULL AND i.amount IS NOT NULL)`
    const revenue = await moneyBy(session, 'document_id', items, parameters)
    const allRevenue = await moneyBy(session, "'all'", items, parameters)
    return {
      totals: { ...documents, ...acts, revenue: allRevenue.get('all') ?? [] },
      rows: rows.map((row) => ({ ...row, revenue: revenue.get(row.documentId) ?? [] })),
    }
  },

  async events({ session, query, parameters }) {
    const received = 'received_ms >= $from_ms AND received_ms < $to_ms'
    await session.run(
      `CREATE OR REPLACE TEMP TABLE received AS
       SELECT name, 'accepted' AS verdict, count(*) AS count FROM activity
       WHERE NOT is_own AND ${received} AND ${hasTags(query, 'tags')}
       GROUP BY name
       UNION ALL
       SELECT name, verdict, sum(count) FROM tallies
       WHERE ${received} AND ${String(query.tags.length === 0)} GROUP BY name, verdict`,
      parameters,
    )
    const totals = await session.rows<{ verdict: EventVerdict; count: number }>(
      'SELECT verdict, sum(count) AS count FROM received GROUP BY 1',
    )
    const total = (verdict: EventVerdict): number =>
      totals.find((row) => row.verdict === verdict)?.count ?? 0
    const rows = await session.rows<Row<'events'>>(
      `SELECT name AS event, verdict, count FROM received
       ORDER BY count DESC, event, verdict LIMIT $limit`,
      parameters,
    )
    return {
      totals: Object.fromEntries(
        EVENT_VERDICTS.map((verdict) => [verdict, total(verdict)]),
      ) as Record<EventVerdict, number>,
      rows,
    }
  },

  async filters({ session, query, parameters }) {
    await session.run(
      `CREATE OR REPLACE TEMP TABLE uses AS
       SELECT u.field, u.value, f.key, ${personOf('f', 'p')} AS person
       FROM filters u JOIN activity a ON a.position = u.position
       LEFT JOIN ids i ON i.search_id = a.search_id
       LEFT JOIN touches t ON t.position = a.position
       LEFT JOIN searches own ON own.key = a.position
       JOIN searches f ON f.key = coalesce(i.final, t.final, own.final)
       LEFT JOIN people p ON p.anonymous_id = f.anonymous_id
       WHERE a.at_ms >= $from_ms AND a.at_ms < $to_ms
         AND (${hasTags(query, 'a.tags')} OR ${hasTags(query, 'f.tags')})
         AND ${isAbout(query, 'f.query')}`,
      parameters,
    )
    const totals = await session.row<Totals<'filters'>>(
      `SELECT (SELECT count(*) FROM period) AS searches,
         (SELECT count(DISTINCT key) FROM uses) AS filteredSearches`,
    )
    const id = `length(field) || ' ' || field || value`
    const rows = await session.rows<Row<'filters'> & { id: string }>(
      `SELECT ${id} AS id, field, value, count(DISTINCT key) AS searches,
         count(DISTINCT person) AS users,
         count(DISTINCT key) FILTER (key IN (${searchesWith(IS_CLICK)})) AS clickedSearches,
         count(DISTINCT key) FILTER (key IN (${searchesWith(IS_CONVERTING)})) AS convertedSearches
       FROM uses GROUP BY field, value ORDER BY searches DESC, field, value LIMIT $limit`,
      parameters,
    )
    const revenue = await moneyBy(
      session,
      id,
      `(SELECT u.field, u.value, m.currency, m.amount
        FROM (SELECT DISTINCT field, value, key FROM uses) u JOIN matching m ON m.search = u.key
        WHERE ${IS_CONVERTING} AND m.amount IS NOT NULL)`,
      parameters,
    )
    return {
      totals,
      rows: rows.map(({ id: row, ...counts }) => ({ ...counts, revenue: revenue.get(row) ?? [] })),
    }
  },

  rules: (view) => countUses(view, 'rule'),
  presets: (view) => countUses(view, 'preset'),

  judgments: countJudgments,

  reformulations: countReformulations,

  'missed-searches': countMissedSearches,

  experiments: countExperiments,

  'popularity-trial': countTrial,

  async latency({ session, query, parameters }) {
    const figures = [
      'count(*) AS searches',
      ...LATENCY_SHARES.map((share, i) => `quantile_disc(took_ms, ${share}) AS p${i}`),
      'max(took_ms) AS max_ms',
    ].join(', ')
    const timed = `activity WHERE took_ms IS NOT NULL AND ${IN_PERIOD} AND ${hasTags(query, 'tags')} AND ${isAbout(query, 'query')}`
    const rows = await session.rows(
      `SELECT ${startOf(query)} AS start_ms, ${figures} FROM ${timed} GROUP BY 1 ORDER BY 1`,
      parameters,
    )
    return {
      totals: latencyOf(await session.row(`SELECT ${figures} FROM ${timed}`, parameters)),
      rows: rows.map((row) => ({ startMs: number(row, 'start_ms'), ...latencyOf(row) })),
    }
  },
}

function latencyOf(row: SqlRow): Latency {
  const value = (name: string): number | null =>
    row[name] === null || row[name] === undefined ? null : number(row, name)
  return {
    searches: number(row, 'searches'),
    percentiles: LATENCY_SHARES.map((_, i) => value(`p${i}`)),
    maxMs: value('max_ms'),
  }
}
