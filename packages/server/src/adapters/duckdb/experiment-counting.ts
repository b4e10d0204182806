import type { Content, Row, Totals } from './report-counting.ts'
import { IS_ADD, IS_CLICK, IS_SALE, type ReportView } from './report-view.ts'

/** Like `experimentVisitor` of the naive report. */
const VISITOR = `CASE
  WHEN s.anonymous_id IS NOT NULL THEN 'a' || s.anonymous_id
  WHEN s.user_id IS NOT NULL THEN 'u' || s.user_id
  WHEN s.session_id IS NOT NULL THEN 's' || s.session_id
  ELSE 'c' || coalesce(s.client, '') END`

/** `naiveExperiments` in SQL. */
export async function countExperiments({
  session,
  parameters,
}: ReportView): Promise<Content<'experiments'>> {
  for (const sql of [
    `CREATE OR REPLACE TEMP TABLE arms AS
     SELECT p.key, a.name AS id, a.kind AS arm, ${VISITOR} AS visitor
     FROM applied a JOIN period p ON p.key = a.position JOIN searches s ON s.key = p.key
     WHERE a.kind IN ('live', 'draft', 'interleaved')`,

    `CREATE OR REPLACE TEMP TABLE visitors AS
     WITH done AS (
       SELECT search, bool_or(${IS_CLICK}) AS clicked, bool_or(${IS_ADD}) AS added,
         bool_or(${IS_SALE}) AS ordered, sum(amount) FILTER (${IS_SALE}) AS amount
       FROM matching WHERE search IS NOT NULL GROUP BY search)
     SELECT id, arm, visitor, count(*) AS searches, bool_or(clicked) AS clicked,
       bool_or(added) AS added, bool_or(ordered) AS ordered, coalesce(sum(amount), 0) AS amount
     FROM arms LEFT JOIN done ON search = key GROUP BY id, arm, visitor`,

    `CREATE OR REPLACE TEMP TABLE leads AS
     SELECT r.id, r.visitor, sum(CASE placed.kind WHEN 'of draft' THEN 1 ELSE -1 END) AS lead
     FROM arms r
     JOIN (SELECT DISTINCT search, document_id FROM matching WHERE ${IS_CLICK}) clicked
       ON clicked.search = r.key
     JOIN (SELECT DISTINCT position, kind, name FROM applied
           WHERE kind IN ('of live', 'of draft')) placed
       ON placed.position = r.key AND placed.name = clicked.document_id
     WHERE r.arm = 'interleaved' GROUP BY r.id, r.visitor`,
  ]) {
    await session.run(sql)
  }
  const totals = await session.row<Totals<'experiments'>>(
    `SELECT (SELECT count(*) FROM period) AS searches,
       (SELECT count(*) FROM arms) AS experimentSearches`,
  )
  const rows = await session.rows<Row<'experiments'>>(
    `WITH counts AS (
       SELECT id, arm, count(*) AS visitors, sum(searches) AS searches,
         count(*) FILTER (clicked) AS clickedVisitors,
         count(*) FILTER (added) AS addedVisitors,
         count(*) FILTER (ordered) AS orderedVisitors,
         sum(amount) AS revenue,
         sum(pow(floor(CAST(amount AS DOUBLE) / 10000), 2)) AS revenueSquares
       FROM visitors GROUP BY id, arm),
     paid AS (
       SELECT id, arm, min(coalesce(currency, '')) AS currency,
         count(DISTINCT coalesce(currency, '')) AS currencies
       FROM arms JOIN matching ON search = key
       WHERE ${IS_SALE} AND amount IS NOT NULL GROUP BY id, arm),
     sides AS (
       SELECT id, 'interleaved' AS arm, count(*) FILTER (lead > 0) AS wins,
         count(*) FILTER (lead < 0) AS losses, count(*) FILTER (lead = 0) AS ties
       FROM leads GROUP BY id)
     SELECT id AS experimentId, arm, visitors, searches, clickedVisitors, addedVisitors,
       orderedVisitors, revenue, revenueSquares, currency, coalesce(currencies, 0) AS currencies,
       coalesce(wins, 0) AS wins, coalesce(losses, 0) AS losses, coalesce(ties, 0) AS ties
     FROM counts LEFT JOIN paid USING (id, arm) LEFT JOIN sides USING (id, arm)
     ORDER BY searches DESC, id, arm LIMIT $limit`,
    parameters,
  )
  return { totals, rows }
}
