import {
  ATTRIBUTION_MS,
  BURST_PAUSE_MS,
  SEARCH_ID_WINDOW_MS,
  STRETCH_MARGIN_MS,
  STRETCH_MS,
} from '@aisle/event-log'
import { ACTION_KINDS, SESSION } from './report-tables.ts'
import type { SqlSession } from './sql-session.ts'

/** Activities processed at once, which bounds memory. */
const BATCH_ACTIVITIES = 400_000

/** Stretches processed at once. */
const BATCH_STRETCHES = 200
/** The temporary tables below. */
const TABLES = ['around', 'merged', 'bursts'] as const

/**
 * Derives the searches of the stretches with new activities: `naiveSearches` in SQL, step by step.
 *
 * @param beforeMs only stretches that were over by then; the others may still grow
 */
export async function makeStaleSearches(session: SqlSession, beforeMs = Infinity): Promise<void> {
  const limit = Math.min(Math.floor(beforeMs / STRETCH_MS), Number.MAX_SAFE_INTEGER)
  for (;;) {
    const rows = await session.rows(
      `SELECT s.stretch, count(a.position) AS activities
       FROM (SELECT DISTINCT stretch FROM stale WHERE stretch < $limit
         ORDER BY stretch LIMIT ${BATCH_STRETCHES}) s
       LEFT JOIN activity a ON a.received_ms // ${STRETCH_MS} = s.stretch
       GROUP BY s.stretch ORDER BY s.stretch`,
      { limit },
    )
    if (rows.length === 0) return
    const batch: number[] = []
    let activities = 0
    for (const row of rows) {
      activities += Number(row['activities'])
      if (batch.length > 0 && activities > BATCH_ACTIVITIES) break
      batch.push(Number(row['stretch']))
    }
    await session.transaction(async () => {
      await makeSearches(session, batch)
      for (const table of TABLES) await session.run(`DROP TABLE temp.${table}`)
    })
    if (batch.length === rows.length && rows.length < BATCH_STRETCHES) return
  }
}

async function makeSearches(session: SqlSession, stretches: readonly number[]): Promise<void> {
  const batch = stretches.join(', ')
  const fromMs = stretches[0]! * STRETCH_MS
  const toMs = (stretches.at(-1)! + 1) * STRETCH_MS
  for (const sql of [
    `CREATE OR REPLACE TEMP TABLE around AS
     WITH batch AS (
       SELECT stretch, stretch * ${STRETCH_MS} AS from_ms FROM (VALUES ${stretches
         .map((stretch) => `(${stretch}::BIGINT)`)
         .join(', ')}) AS one (stretch))
     SELECT b.stretch, b.from_ms, a.position, a.at_ms, a.received_ms, a.kind, a.is_own, a.is_outside,
       a.search_id, a.query, a.found, a.tags,
       a.user_id, a.anonymous_id, a.session_id, a.client
     FROM activity a JOIN batch b
       ON a.received_ms >= b.from_ms - ${STRETCH_MARGIN_MS}
      AND a.received_ms < b.from_ms + ${STRETCH_MS + STRETCH_MARGIN_MS}
     WHERE (a.kind = 'search' OR a.kind IN ${ACTION_KINDS})
       AND a.received_ms >= ${fromMs - STRETCH_MARGIN_MS}
       AND a.received_ms < ${toMs + STRETCH_MARGIN_MS}`,

    // One search per search id. arg_min passes over NULL: the first of the group that says
    // something.
    `CREATE OR REPLACE TEMP TABLE merged AS
     WITH placed AS (
       SELECT *, row_number() OVER (
         PARTITION BY stretch, coalesce('i' || search_id, 'p' || position)
         ORDER BY is_own DESC, at_ms, position) AS place
       FROM around WHERE kind = 'search'),
     grouped AS (
       SELECT stretch, any_value(from_ms) AS from_ms,
         arg_min(position, place) AS key, any_value(search_id) AS search_id,
         arg_min(at_ms, place) AS at_ms, arg_min(received_ms, place) AS received_ms,
         arg_min(query, place) AS query, arg_min(found, place) AS found,
         string_agg(tags, '') AS tags,
         arg_min(user_id, place) AS user_id, arg_min(anonymous_id, place) AS anonymous_id,
         arg_min(session_id, place) AS session_id, arg_min(client, place) AS client
       FROM placed GROUP BY stretch, coalesce('i' || search_id, 'p' || position))
     SELECT *, ${SESSION} AS session FROM grouped g
     WHERE search_id IS NULL OR NOT EXISTS (
       SELECT 1 FROM activity b
       WHERE b.kind = 'search' AND b.search_id = g.search_id
         AND b.received_ms < g.from_ms - ${STRETCH_MARGIN_MS}
         AND b.received_ms >= g.from_ms - ${SEARCH_ID_WINDOW_MS}
         AND b.received_ms >= ${fromMs - SEARCH_ID_WINDOW_MS})`,

    // Bursts: finds the searches that continue the previous one, the key of the newest run of equal
    // queries, and the last such key of a burst, which is that of its final search.
    `CREATE OR REPLACE TEMP TABLE bursts AS
     WITH steps AS (
       SELECT stretch, from_ms, key AS position, at_ms, received_ms, query, session,
         TRUE AS is_search, FALSE AS is_outside FROM merged
       UNION ALL
       SELECT stretch, from_ms, position, at_ms, received_ms, query, ${SESSION},
         FALSE, is_outside FROM around WHERE kind <> 'search'),
     before AS (
       SELECT *, lag(is_search, 1, FALSE) OVER w AS was_search,
         lag(at_ms) OVER w AS at_before, lag(query) OVER w AS query_before
       FROM steps WINDOW w AS (PARTITION BY stretch, session ORDER BY at_ms, position)),
     linked AS (
       SELECT *, coalesce(is_search AND was_search AND at_ms - at_before < ${BURST_PAUSE_MS}
         AND (starts_with(query, query_before) OR starts_with(query_before, query)), FALSE) AS goes_on
       FROM before),
     runs AS (
       SELECT *, sum(CASE WHEN goes_on THEN 0 ELSE 1 END) OVER w AS burst,
         last_value(CASE WHEN is_search AND NOT (goes_on AND query = query_before) THEN position END
           IGNORE NULLS) OVER w AS run_key
       FROM linked WINDOW w AS (PARTITION BY stretch, session ORDER BY at_ms, position))
     SELECT stretch, from_ms, position, at_ms, received_ms, query, session, is_search, is_outside,
       last_value(run_key) OVER (
         PARTITION BY stretch, session, burst ORDER BY at_ms, position
         ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS final
     FROM runs`,

    `DELETE FROM searches WHERE stretch IN (${batch})`,
    `DELETE FROM touches WHERE stretch IN (${batch})`,
    `DELETE FROM stale WHERE stretch IN (${batch})`,

    `INSERT INTO searches
     SELECT m.stretch, m.key, b.final, m.search_id, m.at_ms, m.query, m.found, m.tags, m.session,
       m.user_id, m.anonymous_id, m.session_id, m.client
     FROM merged m JOIN bursts b
       ON b.stretch = m.stretch AND b.position = m.key AND b.is_search
     WHERE m.received_ms >= m.from_ms AND m.received_ms < m.from_ms + ${STRETCH_MS}`,

    // The newest search before an action that names no query, then before one that does.
    `INSERT INTO touches ${newestSearches('TRUE', 'stretch, session', 'query IS NULL')}`,
    `INSERT INTO touches ${newestSearches(
      `session IN (SELECT session FROM bursts WHERE NOT is_search AND query IS NOT NULL)`,
      'stretch, session, query',
      'query IS NOT NULL',
    )}`,
  ]) {
    await session.run(sql)
  }
}

/**
 * Finds, for actions that meet a condition, the newest search among the rows that they share
 * something with.
 */
function newestSearches(rows: string, shared: string, actions: string): string {
  return `
     WITH newest AS (
       SELECT *,
         last_value(CASE WHEN is_search THEN final END IGNORE NULLS) OVER w AS newest_final,
         last_value(CASE WHEN is_search THEN at_ms END IGNORE NULLS) OVER w AS newest_at
       FROM bursts WHERE ${rows}
       WINDOW w AS (PARTITION BY ${shared} ORDER BY at_ms, position))
     SELECT stretch, position, newest_final FROM newest
     WHERE NOT is_search AND NOT is_outside AND ${actions}
       AND at_ms - newest_at <= ${ATTRIBUTION_MS}
       AND received_ms >= from_ms AND received_ms < from_ms + ${STRETCH_MS}`
}
