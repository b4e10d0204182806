import { POPULARITY_POSITION_MAX } from '@aisle/contract'
import {
  EXAMPLES_MAX,
  FEW_RESULTS,
  REFORMULATED_BYTES_MAX,
  REFORMULATED_WORDS_MAX,
  REFORMULATION_MS,
  REPLACED_WORDS_MAX,
} from '@aisle/event-log'
import type { ReformulationRow } from '@aisle/event-log'
import type { Content, Totals } from './report-counting.ts'
import { hasTags, isAbout, IS_CLICK, personOf, type ReportView } from './report-view.ts'

const isReformulated = (query: string): string =>
  `${query} NOT IN ('', '*') AND strlen(${query}) <= ${REFORMULATED_BYTES_MAX}
   AND len(string_split(${query}, ' ')) <= ${REFORMULATED_WORDS_MAX}`

/** `naiveReformulations` in SQL, step by step. */
export async function countReformulations(view: ReportView): Promise<Content<'reformulations'>> {
  const { session, parameters, query } = view
  for (const sql of [
    // Furthest position by session, query and document.
    `CREATE OR REPLACE TEMP TABLE clicked AS
     SELECT s.session, s.query, any_value(${personOf('s', 'p')}) AS visitor, a.document_id,
       max(greatest(1, least(${POPULARITY_POSITION_MAX}, coalesce(a.rank, 1)))) AS place
     FROM acts a JOIN searches s ON s.key = a.search
     LEFT JOIN people p ON p.anonymous_id = s.anonymous_id
     WHERE a.${IS_CLICK.slice(1, -1).replace('NOT is_outside', 'NOT a.is_outside')}
     GROUP BY s.session, s.query, a.document_id, ${personOf('s', 'p')}`,

    `CREATE OR REPLACE TEMP TABLE typed AS
     WITH steps AS (
       SELECT s.session, s.key, s.at_ms, s.query, s.found, s.tags, ${personOf('s', 'p')} AS visitor,
         lead(s.query) OVER w AS next_query, lead(s.at_ms) OVER w AS next_at
       FROM searches s LEFT JOIN people p ON p.anonymous_id = s.anonymous_id
       WHERE s.key = s.final AND s.at_ms >= $from_ms
         AND s.at_ms < $to_ms + ${REFORMULATION_MS + 1}
       WINDOW w AS (PARTITION BY s.session ORDER BY s.at_ms, s.key))
     SELECT visitor, session, query AS a, next_query AS b,
       coalesce(found <= ${FEW_RESULTS}, FALSE) AS few
     FROM steps
     WHERE visitor IS NOT NULL AND next_query <> query AND at_ms < $to_ms
       AND next_at - at_ms <= ${REFORMULATION_MS}
       AND ${isReformulated('query')} AND ${isReformulated('next_query')}
       AND ${hasTags(query, 'tags')} AND ${isAbout(query, 'query')}
       AND (coalesce(found <= ${FEW_RESULTS}, FALSE)
         OR (session, query) NOT IN (SELECT (session, query) FROM clicked))`,

    // The words in common at the beginning, then at the end.
    `CREATE OR REPLACE TEMP TABLE replaced AS
     WITH pairs AS (
       SELECT DISTINCT a, b, string_split(a, ' ') AS x, string_split(b, ' ') AS y FROM typed),
     heads AS (
       SELECT *, len(list_filter(range(1, least(len(x), len(y)) + 1),
         lambda i: x[1:i] = y[1:i])) AS head FROM pairs),
     tails AS (
       SELECT *, len(list_filter(range(1, least(len(x), len(y)) - head + 1),
         lambda i: x[len(x) - i + 1:] = y[len(y) - i + 1:])) AS tail FROM heads)
     SELECT a, b, array_to_string(x[head + 1:len(x) - tail], ' ') AS "from",
       array_to_string(y[head + 1:len(y) - tail], ' ') AS "to",
       array_to_string(list_concat(x[1:head], ['…'], x[len(x) - tail + 1:]), ' ') AS context
     FROM tails
     WHERE len(x) - head - tail BETWEEN 1 AND ${REPLACED_WORDS_MAX}
       AND len(y) - head - tail BETWEEN 1 AND ${REPLACED_WORDS_MAX}`,

    `CREATE OR REPLACE TEMP TABLE reformulated AS
     SELECT r."from", r."to", r.context, t.*, (t.session, t.b) IN (
       SELECT (session, query) FROM clicked) AS content
     FROM typed t JOIN replaced r USING (a, b)`,

    `CREATE OR REPLACE TEMP TABLE pairs AS
     SELECT *, count(*) OVER () AS pair_count FROM (
       SELECT "from", "to", count(DISTINCT visitor) FILTER (content) AS visitors,
         count(DISTINCT visitor) AS tried,
         count(DISTINCT visitor) FILTER (content AND few) AS found_few,
         count(DISTINCT context) FILTER (content) AS contexts
       FROM reformulated GROUP BY "from", "to")
     WHERE visitors > 0
     ORDER BY visitors DESC, tried DESC, "from", "to" LIMIT $limit`,

    `CREATE OR REPLACE TEMP TABLE kept AS
     SELECT r.* FROM reformulated r JOIN pairs USING ("from", "to") WHERE r.content`,

    `CREATE OR REPLACE TEMP TABLE chosen AS
     SELECT k."from", k."to", k.visitor, c.document_id, max(c.place) AS place,
       bool_or(EXISTS (SELECT 1 FROM clicked o WHERE o.query = k.a
         AND o.document_id = c.document_id AND o.visitor IS DISTINCT FROM k.visitor)) AS shared
     FROM kept k JOIN clicked c ON c.session = k.session AND c.query = k.b
     WHERE c.document_id IS NOT NULL
     GROUP BY k."from", k."to", k.visitor, c.document_id`,
  ]) {
    await session.run(sql, parameters)
  }
  const top = (group: string, order: string, value: string): string =>
    `SELECT "from", "to", to_json(list(${value} ORDER BY place))::VARCHAR AS list FROM (
       SELECT *, row_number() OVER (PARTITION BY "from", "to" ORDER BY ${order}) AS place
       FROM (${group}))
     WHERE place <= ${EXAMPLES_MAX} GROUP BY "from", "to"`
  const examples = top(
    `SELECT "from", "to", a, b, count(DISTINCT visitor) AS visitors FROM kept
     GROUP BY "from", "to", a, b`,
    'visitors DESC, a, b',
    `{'from': a, 'to': b, 'visitors': visitors}`,
  )
  const documents = top(
    `SELECT "from", "to", document_id, sum(place) AS places FROM chosen
     GROUP BY "from", "to", document_id`,
    'places DESC, document_id',
    'document_id',
  )
  const rows = await session.rows<ListsAsText>(
    `WITH gave_up AS (
       SELECT "from", count(DISTINCT visitor) AS gave_up FROM reformulated GROUP BY "from"),
     arrived AS (
       SELECT "to", count(DISTINCT visitor) AS arrived FROM reformulated GROUP BY "to"),
     clicks AS (
       SELECT "from", "to", count(*) AS clicks, sum(place) AS places,
         coalesce(sum(place) FILTER (shared), 0) AS shared FROM chosen GROUP BY "from", "to"),
     origins AS (
       SELECT k."from", k."to", count(DISTINCT c.visitor) AS clicked_from
       FROM (SELECT DISTINCT "from", "to", a FROM kept) k JOIN clicked c ON c.query = k.a
       GROUP BY k."from", k."to")
     SELECT "from", "to", p.visitors, p.tried AS visitorsTried, p.found_few AS visitorsFoundFew,
       g.gave_up AS visitorsGaveUp, r.arrived AS visitorsArrived,
       coalesce(c.clicks, 0) AS clicks, coalesce(c.places, 0) AS positionSum,
       coalesce(c.shared, 0) AS sharedPositionSum,
       coalesce(o.clicked_from, 0) AS visitorsClickedFrom, p.contexts,
       e.list AS examples, coalesce(d.list, '[]') AS documentIds
     FROM pairs p JOIN gave_up g USING ("from") JOIN arrived r USING ("to")
     LEFT JOIN clicks c USING ("from", "to") LEFT JOIN origins o USING ("from", "to")
     LEFT JOIN (${examples}) e USING ("from", "to") LEFT JOIN (${documents}) d USING ("from", "to")
     ORDER BY p.visitors DESC, p.tried DESC, "from", "to"`,
  )
  const totals = await session.row<Totals<'reformulations'>>(
    `SELECT (SELECT coalesce(max(pair_count), 0) FROM pairs) AS pairs,
       count(DISTINCT visitor) AS visitors
     FROM reformulated`,
  )
  return {
    totals,
    rows: rows.map((row) => ({
      ...row,
      examples: JSON.parse(row.examples) as ReformulationRow['examples'],
      documentIds: JSON.parse(row.documentIds) as string[],
    })),
  }
}

/** Lists come as JSON. */
type ListsAsText = Omit<ReformulationRow, 'examples' | 'documentIds'> &
  Record<'examples' | 'documentIds', string>
