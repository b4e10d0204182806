import {
  EXAMPLES_MAX,
  MISSED_VISITORS_PER_CLICKED,
  REFORMULATION_MS,
  UNCLICKED_VISITORS_MIN,
} from '@aisle/event-log'
import type { MissedSearchRow } from '@aisle/event-log'
import type { Content, Totals } from './report-counting.ts'
import { IS_CLICK, personOf, type ReportView } from './report-view.ts'

/** `naiveMissedSearches` in SQL, step by step. */
export async function countMissedSearches(view: ReportView): Promise<Content<'missed-searches'>> {
  const { session, parameters, reportsClicks } = view
  for (const sql of [
    `CREATE OR REPLACE TEMP TABLE result_clicks AS
     SELECT a.search AS key, s.session, s.query, a.document_id
     FROM (SELECT * FROM acts WHERE ${IS_CLICK} AND search IS NOT NULL) a
     JOIN searches s ON s.key = a.search`,

    `CREATE OR REPLACE TEMP TABLE missed AS
     WITH asked AS (
       SELECT query, person, found, key IN (SELECT key FROM result_clicks) AS clicked
       FROM period WHERE query <> '*'),
     persons AS (
       SELECT query, person, bool_or(clicked) AS content FROM asked
       WHERE person IS NOT NULL GROUP BY query, person),
     visits AS (
       SELECT query, count(*) AS visitors, count(*) FILTER (NOT content) AS lost
       FROM persons GROUP BY query),
     counts AS (
       SELECT query, count(*) AS searches, count(*) FILTER (found = 0) AS no_results,
         count(*) FILTER (found = 0) > 0
           AND 2 * count(*) FILTER (found = 0) >= count(found) AS nothing
       FROM asked GROUP BY query)
     SELECT *, count(*) OVER () AS queries, sum(lost) OVER () AS all_lost
     FROM counts JOIN visits USING (query)
     WHERE lost >= CASE WHEN nothing THEN 1 ELSE ${UNCLICKED_VISITORS_MIN} END
       AND (visitors - lost) * ${MISSED_VISITORS_PER_CLICKED} <= visitors
       AND (nothing OR ${reportsClicks})
     ORDER BY lost DESC, searches DESC, query LIMIT $limit`,

    // The next search of the session, and whether it follows soon with other words.
    `CREATE OR REPLACE TEMP TABLE typed_next AS
     WITH steps AS (
       SELECT s.session, s.key, s.at_ms, s.query, ${personOf('s', 'p')} AS person,
         lead(s.query) OVER w AS next_query, lead(s.at_ms) OVER w AS next_at
       FROM searches s LEFT JOIN people p ON p.anonymous_id = s.anonymous_id
       WHERE s.key = s.final AND s.at_ms >= $from_ms
         AND s.at_ms < $to_ms + ${REFORMULATION_MS + 1}
       WINDOW w AS (PARTITION BY s.session ORDER BY s.at_ms, s.key))
     SELECT t.session, t.person, t.query, t.next_query,
       (t.session, t.next_query) IN (SELECT (session, query) FROM result_clicks) AS clicked
     FROM steps t JOIN period q ON q.key = t.key JOIN missed m ON m.query = t.query
     WHERE t.person IS NOT NULL AND t.next_query <> t.query AND t.next_query NOT IN ('', '*')
       AND t.next_at - t.at_ms <= ${REFORMULATION_MS}
       AND t.key NOT IN (SELECT key FROM result_clicks)`,
  ]) {
    await session.run(sql, parameters)
  }
  const top = (group: string, order: string, value: string): string =>
    `SELECT query, to_json(list(${value} ORDER BY place))::VARCHAR AS list FROM (
       SELECT *, row_number() OVER (PARTITION BY query ORDER BY ${order}) AS place FROM (${group}))
     WHERE place <= ${EXAMPLES_MAX} GROUP BY query`
  const next = top(
    `SELECT query, next_query, count(DISTINCT person) AS visitors,
       count(DISTINCT person) FILTER (clicked) AS content
     FROM typed_next GROUP BY query, next_query`,
    'content DESC, visitors DESC, next_query',
    `{'query': next_query, 'visitors': visitors, 'visitorsClicked': content}`,
  )
  const documents = top(
    `SELECT t.query, c.document_id, count(DISTINCT t.person) AS visitors
     FROM typed_next t JOIN result_clicks c ON c.session = t.session AND c.query = t.next_query
     WHERE c.document_id IS NOT NULL GROUP BY t.query, c.document_id`,
    'visitors DESC, document_id',
    'document_id',
  )
  const rows = await session.rows<ListsAsText>(
    `SELECT query, nothing AS findsNothing, searches, no_results AS noResultSearches, visitors,
       lost AS visitorsLost, coalesce(n.list, '[]') AS next, coalesce(d.list, '[]') AS documentIds
     FROM missed LEFT JOIN (${next}) n USING (query) LEFT JOIN (${documents}) d USING (query)
     ORDER BY lost DESC, searches DESC, query`,
  )
  const totals = await session.row<Totals<'missed-searches'>>(
    `SELECT coalesce(max(queries), 0) AS queries, coalesce(max(all_lost), 0) AS visitorsLost
     FROM missed`,
  )
  return {
    totals,
    rows: rows.map((row) => ({
      ...row,
      next: JSON.parse(row.next) as MissedSearchRow['next'],
      documentIds: JSON.parse(row.documentIds) as string[],
    })),
  }
}

/** Lists come as JSON. */
type ListsAsText = Omit<MissedSearchRow, 'next' | 'documentIds'> &
  Record<'next' | 'documentIds', string>
