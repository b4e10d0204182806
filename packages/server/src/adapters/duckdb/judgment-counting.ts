import { POPULARITY_POSITION_MAX } from '@aisle/contract'
import { number, type Content } from './report-counting.ts'
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
     SELECT query, document_id, sessions, count(*) AS clicked_sessions, sum(place) AS position_sum
     FROM clicked JOIN asked USING (query) GROUP BY query, document_id, sessions`,
    parameters,
  )
  const totals = await session.row(
    `SELECT (SELECT count(*) FROM judgments) AS judgments,
       (SELECT count(DISTINCT session) FROM period) AS sessions`,
  )
  const rows = await session.rows(
    `SELECT * FROM judgments
     ORDER BY sessions DESC, query, position_sum DESC, document_id LIMIT $limit`,
    parameters,
  )
  return {
    totals: { judgments: number(totals, 'judgments'), sessions: number(totals, 'sessions') },
    rows: rows.map((row) => ({
      query: String(row['query']),
      documentId: String(row['document_id']),
      sessions: number(row, 'sessions'),
      clickedSessions: number(row, 'clicked_sessions'),
      positionSum: number(row, 'position_sum'),
    })),
  }
}
