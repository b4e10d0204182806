import { EXPERIMENT_REPORT_TAGS_MAX, POPULARITY_TRIAL_ID } from '@aisle/contract'
import { TAG_SEPARATOR } from '@aisle/event-log'
import type { ExperimentDay, ExperimentTagRow, TrialCounts } from '@aisle/event-log'
import type { Content, Row, Totals } from './report-counting.ts'
import { IS_ADD, IS_CLICK, IS_SALE, type ReportView } from './report-view.ts'

/** Like `experimentVisitor` of the naive report. */
const VISITOR = `CASE
  WHEN s.anonymous_id IS NOT NULL THEN 'a' || s.anonymous_id
  WHEN s.user_id IS NOT NULL THEN 'u' || s.user_id
  WHEN s.session_id IS NOT NULL THEN 's' || s.session_id
  ELSE 'c' || coalesce(s.client, '') END`

const DAY_MS = 86_400_000
/** Micros in a hundredth. */
const MICROS_PER_CENT = 10_000

/** The counts of one visitor until the end of a day; those of an arm are their sums. */
const SO_FAR = {
  visitors: '1',
  searches: 'sum(searches) OVER so_far',
  clickedVisitors: 'CAST(bool_or(clicked) OVER so_far AS INTEGER)',
  addedVisitors: 'CAST(bool_or(added) OVER so_far AS INTEGER)',
  orderedVisitors: 'CAST(bool_or(ordered) OVER so_far AS INTEGER)',
  revenue: 'sum(amount) OVER so_far',
  revenueSquares: `pow(floor(CAST(sum(amount) OVER so_far AS DOUBLE) / ${MICROS_PER_CENT}), 2)`,
  wins: 'CAST(coalesce(sum(vote) OVER so_far > 0, FALSE) AS INTEGER)',
  losses: 'CAST(coalesce(sum(vote) OVER so_far < 0, FALSE) AS INTEGER)',
  ties: 'CAST(coalesce(sum(vote) OVER so_far = 0, FALSE) AS INTEGER)',
} as const
const NAMES = Object.keys(SO_FAR)

/**
 * `naiveExperiments` in SQL: what each visitor changed in the counts of the arm on each day, and
 * the sums of that.
 */
export async function countExperiments(view: ReportView): Promise<Content<'experiments'>> {
  const { session, parameters, query } = view
  await makeArms(view, query.experimentId)
  const day = (ms: string): string => `least(${ms}, ${query.toMs - 1}) // ${DAY_MS} * ${DAY_MS}`
  const dayOfAct = day('greatest(r.at_ms, m.at_ms)')
  const counted = `${IS_CLICK} OR ${IS_ADD} OR ${IS_SALE}`
  await session.run(
    `CREATE OR REPLACE TEMP TABLE changes AS
     WITH done AS (
       SELECT id, arm, visitor, ${day('at_ms')} AS day, 1 AS searches, FALSE AS clicked,
         FALSE AS added, FALSE AS ordered, 0 AS amount, NULL AS vote FROM arms
       UNION ALL
       SELECT id, arm, visitor, ${dayOfAct}, 0, ${IS_CLICK}, ${IS_ADD}, ${IS_SALE},
         CASE WHEN ${IS_SALE} THEN coalesce(amount, 0) ELSE 0 END, NULL
       FROM arms r JOIN matching m ON m.search = r.key WHERE ${counted}
       UNION ALL
       SELECT id, 'interleaved', visitor, ${day('at_ms')}, 0, FALSE, FALSE, FALSE, 0, vote
       FROM votes),
     daily AS (
       SELECT id, arm, visitor, day, sum(searches) AS searches, bool_or(clicked) AS clicked,
         bool_or(added) AS added, bool_or(ordered) AS ordered, sum(amount) AS amount,
         sum(vote) AS vote
       FROM done GROUP BY id, arm, visitor, day),
     states AS (
       SELECT id, arm, visitor, day, ${list((name) => `${SO_FAR[name]} AS ${name}`)}
       FROM daily
       WINDOW so_far AS (PARTITION BY id, arm, visitor ORDER BY day)),
     steps AS (
       SELECT id, arm, day, ${list((name) => `${name} - lag(${name}, 1, 0) OVER previous AS ${name}`)}
       FROM states WINDOW previous AS (PARTITION BY id, arm, visitor ORDER BY day))
     SELECT id, arm, day, ${list((name) => `sum(${name}) AS ${name}`)}
     FROM steps GROUP BY id, arm, day`,
  )
  const totals = await session.row<Totals<'experiments'>>(
    `SELECT (SELECT count(*) FROM period) AS searches,
       (SELECT count(*) FROM arms) AS experimentSearches`,
  )
  const rows = await session.rows<Row<'experiments'>>(
    `WITH counts AS (
       SELECT id, arm, ${list((name) => `sum(${name}) AS ${name}`)} FROM changes GROUP BY id, arm),
     paid AS (
       SELECT id, arm, min(coalesce(currency, '')) AS currency,
         count(DISTINCT coalesce(currency, '')) AS currencies
       FROM arms JOIN matching ON search = key
       WHERE ${IS_SALE} AND amount IS NOT NULL GROUP BY id, arm)
     SELECT id AS experimentId, arm, ${list((name) => name)}, currency,
       coalesce(currencies, 0) AS currencies
     FROM counts LEFT JOIN paid USING (id, arm)
     ORDER BY searches DESC, id, arm LIMIT $limit`,
    parameters,
  )
  if (query.experimentId === undefined) return { totals, rows, days: [], byTag: [] }
  const byTag = query.tagPrefix === undefined ? [] : await tagRows(view, query.tagPrefix)
  return { totals, rows, days: await days(view), byTag }
}

function days({ session }: ReportView): Promise<ExperimentDay[]> {
  return session.rows<ExperimentDay>(
    `SELECT arm, day AS startMs, ${list((name) => `sum(${name}) OVER so_far AS ${name}`)}
     FROM changes WINDOW so_far AS (PARTITION BY id, arm ORDER BY day) ORDER BY arm, day`,
  )
}

/** `tagRows` of the naive report in SQL: each visitor once for each tag, then their sums. */
function tagRows({ session }: ReportView, prefix: string): Promise<ExperimentTagRow[]> {
  return session.rows<ExperimentTagRow>(
    `WITH tagged AS (
       SELECT DISTINCT key, arm, visitor,
         unnest(string_split(trim(tags, $separator), $separator || $separator)) AS tag
       FROM arms WHERE tags IS NOT NULL),
     kept AS (
       SELECT tag, count(*) AS total FROM tagged WHERE tag <> '' AND starts_with(tag, $prefix)
       GROUP BY tag ORDER BY total DESC, tag LIMIT $tags),
     done AS (
       SELECT search, bool_or(${IS_CLICK}) AS clicked, bool_or(${IS_ADD}) AS added,
         bool_or(${IS_SALE}) AS ordered,
         sum(CASE WHEN ${IS_SALE} THEN coalesce(amount, 0) ELSE 0 END) AS amount
       FROM matching WHERE search IN (SELECT key FROM arms) GROUP BY search),
     voted AS (SELECT key, sum(vote) AS vote FROM votes GROUP BY key),
     everyone AS (
       SELECT tag, total, arm, visitor, count(*) AS searches, bool_or(clicked) AS clicked,
         bool_or(added) AS added, bool_or(ordered) AS ordered,
         coalesce(sum(amount), 0) AS amount, sum(vote) AS vote
       FROM tagged JOIN kept USING (tag) LEFT JOIN done ON search = key
       LEFT JOIN voted USING (key) GROUP BY tag, total, arm, visitor),
     paid AS (
       SELECT tag, arm, min(coalesce(currency, '')) AS currency,
         count(DISTINCT coalesce(currency, '')) AS currencies
       FROM tagged JOIN matching ON search = key
       WHERE ${IS_SALE} AND amount IS NOT NULL GROUP BY tag, arm),
     counts AS (
       SELECT tag, total, arm, count(*) AS visitors, sum(searches) AS searches,
         count(*) FILTER (clicked) AS clickedVisitors, count(*) FILTER (added) AS addedVisitors,
         count(*) FILTER (ordered) AS orderedVisitors, sum(amount) AS revenue,
         sum(pow(floor(CAST(amount AS DOUBLE) / ${MICROS_PER_CENT}), 2)) AS revenueSquares,
         count(*) FILTER (vote > 0) AS wins, count(*) FILTER (vote < 0) AS losses,
         count(*) FILTER (vote = 0) AS ties
       FROM everyone GROUP BY tag, total, arm)
     SELECT tag, arm, ${list((name) => name)}, currency, coalesce(currencies, 0) AS currencies
     FROM counts LEFT JOIN paid USING (tag, arm) ORDER BY total DESC, tag, arm`,
    { separator: TAG_SEPARATOR, prefix, tags: EXPERIMENT_REPORT_TAGS_MAX },
  )
}

/** `naiveTrial` in SQL. */
export async function countTrial(view: ReportView): Promise<Content<'popularity-trial'>> {
  const { session, parameters } = view
  await makeArms(view, POPULARITY_TRIAL_ID)
  const counted = (query: string): string =>
    `WITH seen AS (
       SELECT DISTINCT ${query} AS query, visitor FROM arms
       WHERE key IN (SELECT position FROM applied WHERE kind IN ('of live', 'of draft'))),
     leads AS (
       SELECT ${query} AS query, visitor, sum(vote) AS lead FROM votes GROUP BY ALL)
     SELECT query, count(*) AS sessions, count(*) FILTER (lead > 0) AS wins,
       count(*) FILTER (lead < 0) AS losses, count(*) FILTER (lead = 0) AS ties
     FROM seen LEFT JOIN leads USING (query, visitor)
     GROUP BY query ORDER BY sessions DESC, query LIMIT $limit`
  const [all] = await session.rows<Row<'popularity-trial'>>(counted(`''`), parameters)
  const { sessions, wins, losses, ties }: TrialCounts = all ?? NOBODY
  return {
    totals: { sessions, wins, losses, ties },
    rows: await session.rows<Row<'popularity-trial'>>(counted('query'), parameters),
  }
}

const NOBODY: TrialCounts = { sessions: 0, wins: 0, losses: 0, ties: 0 }

/**
 * Creates the tables of experiments:
 *
 * - `arms`   searches of an experiment, with its arm
 * - `votes`  clicked hits that one order placed: 1 for the draft, -1 for what is live
 */
async function makeArms({ session, parameters }: ReportView, id: string | undefined) {
  const only = id === undefined ? 'TRUE' : 'a.name = $experiment'
  await session.run(
    `CREATE OR REPLACE TEMP TABLE arms AS
     SELECT p.key, p.at_ms, p.query, s.tags, a.name AS id, a.kind AS arm, ${VISITOR} AS visitor
     FROM applied a JOIN period p ON p.key = a.position JOIN searches s ON s.key = p.key
     WHERE a.kind IN ('live', 'draft', 'interleaved') AND ${only}`,
    id === undefined ? parameters : { ...parameters, experiment: id },
  )
  await session.run(
    `CREATE OR REPLACE TEMP TABLE votes AS
     WITH clicked AS (
       SELECT search, document_id, min(at_ms) AS at_ms FROM matching
       WHERE ${IS_CLICK} AND search IS NOT NULL GROUP BY search, document_id),
     placed AS (
       SELECT DISTINCT position, kind, name FROM applied WHERE kind IN ('of live', 'of draft'))
     SELECT r.key, r.id, r.visitor, r.query, greatest(r.at_ms, c.at_ms) AS at_ms,
       CASE p.kind WHEN 'of draft' THEN 1 ELSE -1 END AS vote
     FROM arms r JOIN clicked c ON c.search = r.key
     JOIN placed p ON p.position = r.key AND p.name = c.document_id
     WHERE r.arm = 'interleaved'`,
  )
}

function list(column: (name: keyof typeof SO_FAR) => string): string {
  return (NAMES as (keyof typeof SO_FAR)[]).map(column).join(', ')
}
