import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { createGunzip } from 'node:zlib'
import { createAnalyzer, type Schema } from '@aisle/engine'
import { NaiveIndex } from '@aisle/engine/naive'
import type { VisitorEvent } from '@aisle/event-log'
import {
  buildPopularityIndex,
  dayOf,
  PopularityIndex,
  QueryHistory,
  readQuery,
} from '@aisle/suggestions'
import { planSearch } from '../../packages/server/src/domain/plan/plan-search.ts'

/**
 * What popularity learns from the sessions of a real shop (retrotech): four of five sessions are
 * folded, and the order of the results of a query is judged by the clicks of the fifth, corrected
 * for their positions.
 *
 *     node tools/relevance/click-learning.ts --data <folder of data sets>
 */
const WEIGHTS = [0, 0.1, 0.3, 0.5, 1]
const RANKS = 10
const POSITION_MAX = 10
const NOON_MS = Date.UTC(2026, 5, 15, 12)
const FIELDS = ['name', 'manufacturer', 'format', 'short_description', 'long_description']
const analyzer = createAnalyzer('en')
const schema: Schema = {
  fields: FIELDS.map((name) => ({
    name,
    type: 'string',
    searchable: true,
    facet: false,
    sort: false,
  })),
}

interface Shown {
  /** Clicks of the judging sessions, weighted by position. */
  worth: number
}

const { values } = parseArgs({ options: { data: { type: 'string', default: 'data' } } })
const folder = join(values.data, 'retrotech')
if (!existsSync(folder)) {
  console.error(`There is no data set in "${folder}" (--data)`)
  process.exit(1)
}
const { history, judged } = await readSessions(join(folder, 'sessions.tsv.gz'))
const { index, keys } = readProducts(join(folder, 'products.jsonl'), judged)
const popularity = new PopularityIndex(
  buildPopularityIndex({
    appeal: history.appeal,
    table: history.table,
    docKeyOf: (id) => keys.get(id),
    today: dayOf(NOON_MS),
  }),
)
console.log('weight  NDCG@10 of the documents shown, judged by the clicks of other sessions')
for (const weight of WEIGHTS) {
  const scores = [...judged].map(([query, shown]) => ndcg(orderOf(query, shown, weight), shown))
  const mean = scores.reduce((sum, one) => sum + one, 0) / scores.length
  console.log(
    `${weight.toFixed(1).padStart(6)}  ${mean.toFixed(3)}  ${scores.map((one) => one.toFixed(2)).join(' ')}`,
  )
}

/** A session is folded or judges, depending on its number. */
async function readSessions(path: string) {
  const folded = new QueryHistory(analyzer)
  const byQuery = new Map<string, Map<string, Shown>>()
  const lines = createInterface({ input: createReadStream(path).pipe(createGunzip()) })
  let isHead = true
  let session = ''
  let count = 0
  for await (const line of lines) {
    const [query = '', name = '', position = '', id = '', clicked = ''] = line.split('\t')
    if (isHead) {
      isHead = false
      continue
    }
    const atMs = NOON_MS + count
    if (`${query} ${name}` !== session) {
      session = `${query} ${name}`
      count++
      if (count % 5 !== 0) folded.apply(event('search', session, atMs, { query, total_results: 1 }))
    }
    const isClicked = /^(1|true)/i.test(clicked)
    // Positions in the file start at 0.
    const rank = Number(position) + 1
    if (count % 5 !== 0) {
      const properties = { query, document_id: id, position: rank }
      if (isClicked) folded.apply(event('click', session, atMs, properties))
      continue
    }
    let shown = byQuery.get(query)
    if (shown === undefined) byQuery.set(query, (shown = new Map()))
    const judgement = shown.get(id) ?? { worth: 0 }
    if (isClicked) judgement.worth += Math.max(1, Math.min(POSITION_MAX, rank))
    shown.set(id, judgement)
  }
  folded.tick(NOON_MS + 2 * count)
  return { history: folded, judged: byQuery }
}

function event(
  name: 'search' | 'click',
  session: string,
  atMs: number,
  properties: VisitorEvent['properties'],
): VisitorEvent {
  const visitor = { sessionId: session, client: session, network: session }
  const times = { atMs, receivedMs: atMs }
  return { kind: 'event', name, source: 'simple', messageId: '', ...times, visitor, properties }
}

/** Only products that were shown: others have no judgment. */
function readProducts(path: string, shownByQuery: ReadonlyMap<string, ReadonlyMap<string, Shown>>) {
  const naive = new NaiveIndex(schema, analyzer)
  const docKeys = new Map<string, number>()
  const wanted = new Set([...shownByQuery.values()].flatMap((shown) => [...shown.keys()]))
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    if (line === '') continue
    const product = JSON.parse(line) as Record<string, string> & { id: string }
    if (!wanted.has(product.id)) continue
    docKeys.set(product.id, docKeys.size + 1)
    const document = { docKey: docKeys.size, id: product.id }
    naive.add({ ...document, values: FIELDS.map((name) => product[name]) })
  }
  return { index: naive, keys: docKeys }
}

function orderOf(query: string, shown: ReadonlyMap<string, Shown>, weight: number): string[] {
  const { plan } = planSearch(
    { q: query, per_page: 250, require_all_terms: false },
    { schema, analyzer, nowMs: 0 },
  )
  const key = readQuery(query, analyzer)?.key ?? ''
  const planned = { documents: popularity.documents, appeal: popularity.appealOf(key), weight }
  const { hits } = index.search({ ...plan, ...(weight === 0 ? {} : { popularity: planned }) })
  const ids = new Map([...keys].map(([id, docKey]) => [docKey, id]))
  return hits.map(({ docKey }) => ids.get(docKey)!).filter((id) => shown.has(id))
}

function ndcg(order: readonly string[], shown: ReadonlyMap<string, Shown>): number {
  const gains = (ids: readonly string[]): number =>
    ids
      .slice(0, RANKS)
      .reduce((sum, id, i) => sum + (shown.get(id)?.worth ?? 0) / Math.log2(i + 2), 0)
  const ideal = [...shown.keys()].toSorted((a, b) => shown.get(b)!.worth - shown.get(a)!.worth)
  return gains(order) / (gains(ideal) || 1)
}
