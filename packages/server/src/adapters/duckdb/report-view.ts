import { EARLY_ACTION_MS, intervalMs, TAG_SEPARATOR, type ReportQuery } from '@aisle/event-log'
import { ACTION_KINDS } from './report-tables.ts'
import type { SqlParameters, SqlSession } from './sql-session.ts'

export const IS_CLICK = `(kind = 'click' AND NOT is_outside)`
export const IS_ADD = `kind IN ('add', 'conversion')`
export const IS_SALE = `kind IN ('purchase', 'order')`
export const IS_CONVERTING = `kind IN ('conversion', 'purchase', 'order')`
/** An expression equal for all events of an order. */
export const ORDER_KEY = `CASE WHEN ${IS_SALE} THEN coalesce('o' || order_id, 'p' || position) END`
export const CURRENCY = 'CASE WHEN amount IS NULL THEN NULL ELSE currency END'
export const IN_PERIOD = 'at_ms >= $from_ms AND at_ms < $to_ms'

/** The tables from which every report of a period is counted. */
export interface ReportView {
  readonly session: SqlSession
  readonly query: ReportQuery
  readonly parameters: SqlParameters
  readonly reportsClicks: boolean
  readonly reportsConversions: boolean
  readonly reportsAdds: boolean
  readonly reportsOrders: boolean
}

/**
 * Creates the temporary tables that reports count from:
 *
 * - `ids`      search id -> its final search
 * - `people`   anonymous id -> the user that it was last seen with
 * - `period`   the final searches of the period that have the tags, with person and shown query
 * - `acts`     actions since an hour before the period, without repeated orders, with their search
 * - `matching` those of them that have the tags, or whose search has, and belong to the query that
 *   is asked about
 */
export async function openView(session: SqlSession, query: ReportQuery): Promise<ReportView> {
  const parameters = {
    from_ms: query.fromMs,
    to_ms: query.toMs,
    early_ms: query.fromMs - EARLY_ACTION_MS,
    limit: query.limit,
    ...(query.onlyQuery === undefined ? {} : { only_query: query.onlyQuery }),
    ...Object.fromEntries(
      query.tags.map((tag, i) => [`tag${i}`, TAG_SEPARATOR + tag + TAG_SEPARATOR] as const),
    ),
  }
  for (const sql of [
    `CREATE OR REPLACE TEMP TABLE people AS
     SELECT anonymous_id, last(user_id ORDER BY at_ms, position) AS user_id
     FROM links GROUP BY anonymous_id`,

    `CREATE OR REPLACE TEMP TABLE period AS
     SELECT s.key, s.at_ms, CASE WHEN s.query = '' THEN '*' ELSE s.query END AS query, s.found,
       s.session, ${personOf('s', 'p')} AS person
     FROM searches s LEFT JOIN people p ON p.anonymous_id = s.anonymous_id
     WHERE s.key = s.final AND s.${IN_PERIOD.replace('AND ', 'AND s.')} AND ${hasTags(query, 's.tags')}
       AND ${isAbout(query, 's.query')}`,

    `CREATE OR REPLACE TEMP TABLE ids AS
     SELECT search_id, min(final) AS final FROM searches
     WHERE search_id IN (
       SELECT search_id FROM activity WHERE kind <> 'search' AND at_ms >= $early_ms
       UNION ALL
       SELECT a.search_id FROM activity a WHERE a.kind = 'search' AND a.${IN_PERIOD.replace('AND ', 'AND a.')}
         AND a.position IN (SELECT position FROM filters))
     GROUP BY search_id`,

    `CREATE OR REPLACE TEMP TABLE acts AS
     WITH sales AS (
       SELECT position, at_ms, kind, order_id, document_id,
         bool_or(kind = 'order') OVER (PARTITION BY order_id) AS has_order
       FROM activity WHERE ${IS_SALE} AND order_id IS NOT NULL),
     placed AS (
       SELECT position, kind, has_order, row_number() OVER (
         PARTITION BY order_id, kind, CASE WHEN kind = 'order' THEN NULL ELSE document_id END
         ORDER BY at_ms, position) AS place
       FROM sales),
     repeated AS (
       SELECT position FROM placed WHERE place > 1 OR (has_order AND kind <> 'order'))
     SELECT a.position, a.at_ms, a.kind, a.rank, a.document_id, a.order_id, a.currency, a.amount,
       a.is_outside, f.key AS search,
       CASE WHEN coalesce(f.query, a.query) = '' THEN '*' ELSE coalesce(f.query, a.query) END AS query,
       ${hasTags(query, 'a.tags')} OR ${hasTags(query, 'f.tags')} AS matches,
       ${isAbout(query, 'coalesce(f.query, a.query)')} AS is_about
     FROM activity a
     LEFT JOIN ids i ON i.search_id = a.search_id
     LEFT JOIN touches t ON t.position = a.position
     LEFT JOIN searches f ON f.key = coalesce(i.final, t.final)
     WHERE a.kind IN ${ACTION_KINDS} AND a.at_ms >= $early_ms
       AND a.position NOT IN (SELECT position FROM repeated)`,

    `CREATE OR REPLACE TEMP VIEW matching AS SELECT * FROM acts WHERE matches AND is_about`,
  ]) {
    await session.run(sql, parameters)
  }
  const reported = await session.row(
    `SELECT bool_or(${IS_CLICK}) AS clicks, bool_or(${IS_CONVERTING}) AS conversions,
       bool_or(${IS_ADD}) AS adds, bool_or(${IS_SALE}) AS orders
     FROM acts WHERE ${IN_PERIOD}`,
    parameters,
  )
  return {
    session,
    query,
    parameters,
    reportsClicks: reported['clicks'] === true,
    reportsConversions: reported['conversions'] === true,
    reportsAdds: reported['adds'] === true,
    reportsOrders: reported['orders'] === true,
  }
}

export function personOf(visitor: string, people: string): string {
  return `CASE
    WHEN ${visitor}.user_id IS NOT NULL THEN 'u' || ${visitor}.user_id
    WHEN ${people}.user_id IS NOT NULL THEN 'u' || ${people}.user_id
    WHEN ${visitor}.anonymous_id IS NOT NULL THEN 'a' || ${visitor}.anonymous_id
    WHEN ${visitor}.session_id IS NOT NULL THEN 's' || ${visitor}.session_id
    WHEN ${visitor}.client IS NOT NULL THEN 'c' || ${visitor}.client END`
}

/** Whether a column of tags has those of the query; never NULL. */
export function hasTags({ tags, needsAllTags }: ReportQuery, column: string): string {
  if (tags.length === 0) return 'TRUE'
  const tests = tags.map((_, i) => `contains(${column}, $tag${i})`)
  return `coalesce((${tests.join(needsAllTags ? ' AND ' : ' OR ')}), FALSE)`
}

/** Whether a column of typed queries has the requested query; never NULL. */
export function isAbout({ onlyQuery }: ReportQuery, column: string): string {
  if (onlyQuery === undefined) return 'TRUE'
  return `coalesce(CASE WHEN ${column} = '' THEN '*' ELSE ${column} END = $only_query, FALSE)`
}

/** `intervalStart` in SQL. */
export function startOf({ interval }: ReportQuery): string {
  const lengthMs = intervalMs(interval)
  const offsetMs = interval === 'week' ? 4 * 86_400_000 : 0
  return `(at_ms - ${offsetMs}) // ${lengthMs} * ${lengthMs} + ${offsetMs}`
}
