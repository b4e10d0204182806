import { setImmediate as nextTurn } from 'node:timers/promises'
import { JOURNEY_PAGE_MAX_BYTES } from '@aisle/contract'
import { recordReader } from '@aisle/event-log'
import type { ActivityKind, Journey, JourneyQuery, JourneyStep, LogFiles } from '@aisle/event-log'
import { number } from './report-counting.ts'
import { idParameters, isOfVisitor } from './report-file.ts'
import type { SqlSession } from './sql-session.ts'

/** Records per read from the disk. */
const READ_STEP = 50

/**
 * `naiveJourney` in SQL: the tables name the events and the search of each, the log has them as
 * sent. A page ends early when it has read enough bytes.
 */
export async function readJourney(
  session: SqlSession,
  files: LogFiles,
  { visitor, fromMs, toMs, after, limit }: JourneyQuery,
): Promise<Journey> {
  const parameters = {
    ...idParameters(visitor),
    from_ms: fromMs,
    to_ms: toMs,
    after_ms: after?.atMs ?? toMs,
    after_position: after?.position ?? Number.MAX_SAFE_INTEGER,
    more: limit + 1,
  }
  await session.run(
    `CREATE OR REPLACE TEMP TABLE steps AS
     SELECT position, at_ms, kind, search_id FROM activity
     WHERE (${isOfVisitor(visitor)}) AND at_ms >= $from_ms AND at_ms < $to_ms
       AND (at_ms < $after_ms OR (at_ms = $after_ms AND position < $after_position))
     ORDER BY at_ms DESC, position DESC LIMIT $more`,
    parameters,
  )
  const rows = await session.rows(
    `WITH ids AS (
       SELECT search_id, min(final) AS final FROM searches
       WHERE search_id IN (SELECT search_id FROM steps) GROUP BY search_id)
     SELECT s.position, s.at_ms, s.kind, f.key,
       CASE WHEN f.query = '' THEN '*' ELSE f.query END AS query
     FROM steps s
     LEFT JOIN ids i ON i.search_id = s.search_id
     LEFT JOIN touches t ON t.position = s.position
     LEFT JOIN searches own ON own.key = s.position
     LEFT JOIN searches f ON f.key = coalesce(i.final, t.final, own.final)
     ORDER BY s.at_ms DESC, s.position DESC`,
  )
  const read = recordReader(files)
  const steps: JourneyStep[] = []
  let bytes = 0
  for (const [i, row] of rows.slice(0, limit).entries()) {
    if (i % READ_STEP === READ_STEP - 1) await nextTurn()
    const position = number(row, 'position')
    const record = read(position)
    bytes += record?.lengthBytes ?? 0
    if (record !== undefined && record.entry.kind !== 'tally') {
      steps.push({
        position,
        entry: record.entry,
        kind: String(row['kind']) as ActivityKind,
        query: row['query'] === null ? undefined : String(row['query']),
        isCounted: row['key'] === position,
      })
    }
    const isLast = i === rows.length - 1
    if (!isLast && (i === limit - 1 || bytes >= JOURNEY_PAGE_MAX_BYTES)) {
      return { steps, next: { atMs: number(row, 'at_ms'), position } }
    }
  }
  return { steps }
}
