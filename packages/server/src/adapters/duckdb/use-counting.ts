import { number, searchesWith, type Content } from './report-counting.ts'
import { IS_CLICK, IS_CONVERTING, type ReportView } from './report-view.ts'

/** `naiveUses` in SQL. */
export async function countUses(
  { session, parameters }: ReportView,
  kind: 'rule' | 'preset',
): Promise<Content<'rules'>> {
  await session.run(
    `CREATE OR REPLACE TEMP TABLE used AS
     SELECT a.name, p.key, p.at_ms, p.found, p.person
     FROM applied a JOIN period p ON p.key = a.position WHERE a.kind = '${kind}'`,
  )
  const totals = await session.row(
    `SELECT (SELECT count(*) FROM period) AS searches,
       (SELECT count(DISTINCT key) FROM used) AS used`,
  )
  const rows = await session.rows(
    `SELECT name, count(*) AS searches, count(DISTINCT person) AS users, count(found) AS counted,
       count(*) FILTER (found = 0) AS no_result,
       count(*) FILTER (key IN (${searchesWith(IS_CLICK)})) AS clicked,
       count(*) FILTER (key IN (${searchesWith(IS_CONVERTING)})) AS converted,
       max(at_ms) AS last_ms
     FROM used GROUP BY name ORDER BY searches DESC, name LIMIT $limit`,
    parameters,
  )
  return {
    totals: { searches: number(totals, 'searches'), usedSearches: number(totals, 'used') },
    rows: rows.map((row) => ({
      name: String(row['name']),
      searches: number(row, 'searches'),
      users: number(row, 'users'),
      countedSearches: number(row, 'counted'),
      noResultSearches: number(row, 'no_result'),
      clickedSearches: number(row, 'clicked'),
      convertedSearches: number(row, 'converted'),
      lastMs: number(row, 'last_ms'),
    })),
  }
}
