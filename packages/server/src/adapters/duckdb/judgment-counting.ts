import { POPULARITY_POSITION_MAX } from '@aisle/contract'
import type { Content, Row, Totals } from './report-counting.ts'
import { IS_CLICK, type ReportView } from './report-view.ts'

/** `naiveJudgments` in SQL. */
export async function countJudgments({
  session,
  parameters,
}: ReportView): Promise<Content<'judgments'>> {
  await session.run(
    `CREATE OR REPLACE TEMP TABLE judgments AS
     WITH clicked AS (
       SELECT p.query, m.document_id, p.session,
         max(greatest(1, least(${POPULARITY_POSITION_MAX}, coalesce(m.rank, 1)))) AS place
       FROM matching m JOIN period p ON p.key = m.search
       WHERE ${IS_CLICK} AND m.document_id IS NOT NULL
       GROUP BY p.query, m.document_id, p.session),
     asked AS (SELECT query, count(DISTINCT session) AS sessions FROM period GROUP BY query)
     SELECT query, document_id AS documentId, sessions, count(*) AS clickedSessions,
       sum(place) AS positionSum
     FROM clicked JOIN asked USING (query) GROUP BY query, document_id, sessions`,
    parameters,
  )
  const totals = await session.row<Totals<'judgments'>>(
    `SELECT (SELECT count(*) FROM judgments) AS judgments,
       (SELECT count(DISTINCT session) FROM period) AS sessions`,
  )
  const rows = await session.rows<Row<'judgments'>>(
    `SELECT * FROM judgments
     ORDER BY sessions DESC, query, positionSum DESC, documentId LIMIT $limit`,
    parameters,
  )
  return { totals, rows }
}
