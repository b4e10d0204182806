import type { Content, Row, Totals } from './report-counting.ts'
import { IS_CLICK, type ReportView } from './report-view.ts'

/** `naiveTrial` in SQL. */
export async function countTrial({
  session,
  parameters,
}: ReportView): Promise<Content<'popularity-trial'>> {
  await session.run(
    `CREATE OR REPLACE TEMP TABLE trial AS
     WITH brought AS (
       SELECT p.session, p.query, a.name AS document_id, any_value(a.kind) AS kind
       FROM applied a JOIN period p ON p.key = a.position
       WHERE a.kind IN ('popular', 'plain')
       GROUP BY p.session, p.query, a.name HAVING count(DISTINCT a.kind) = 1),
     clicked AS (
       SELECT DISTINCT p.session, p.query, m.document_id
       FROM matching m JOIN period p ON p.key = m.search WHERE ${IS_CLICK}),
     units AS (
       SELECT b.session, b.query,
         count(c.document_id) FILTER (b.kind = 'popular') AS popular,
         count(c.document_id) FILTER (b.kind = 'plain') AS plain
       FROM brought b LEFT JOIN clicked c USING (session, query, document_id)
       GROUP BY b.session, b.query)
     SELECT session, query, popular > plain AS win, popular < plain AS loss,
       popular = plain AND popular > 0 AS tie FROM units`,
  )
  const counts = `count(DISTINCT session) AS sessions, count(*) FILTER (win) AS wins,
    count(*) FILTER (loss) AS losses, count(*) FILTER (tie) AS ties`
  const totals = await session.row<Totals<'popularity-trial'>>(`SELECT ${counts} FROM trial`)
  const rows = await session.rows<Row<'popularity-trial'>>(
    `SELECT query, ${counts} FROM trial GROUP BY query ORDER BY sessions DESC, query LIMIT $limit`,
    parameters,
  )
  return { totals, rows }
}
