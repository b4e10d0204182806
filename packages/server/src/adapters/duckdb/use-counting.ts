import { searchesWith, type Content, type Row, type Totals } from './report-counting.ts'
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
  const totals = await session.row<Totals<'rules'>>(
    `SELECT (SELECT count(*) FROM period) AS searches,
       (SELECT count(DISTINCT key) FROM used) AS usedSearches`,
  )
  const rows = await session.rows<Row<'rules'>>(
    `SELECT name, count(*) AS searches, count(DISTINCT person) AS users,
       count(found) AS countedSearches, count(*) FILTER (found = 0) AS noResultSearches,
       count(*) FILTER (key IN (${searchesWith(IS_CLICK)})) AS clickedSearches,
       count(*) FILTER (key IN (${searchesWith(IS_CONVERTING)})) AS convertedSearches,
       max(at_ms) AS lastMs
     FROM used GROUP BY name ORDER BY searches DESC, name LIMIT $limit`,
    parameters,
  )
  return { totals, rows }
}
