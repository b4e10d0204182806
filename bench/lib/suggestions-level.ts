import { ApiError } from '@aisle/contract'
import type { Schema } from '@aisle/engine'
import type { VisitorEvent } from '@aisle/event-log'
import {
  buildProfileIndex,
  buildSuggestionIndex,
  buildTogetherIndex,
  dayOf,
  ProfileIndex,
  QueryHistory,
  SuggestionIndex,
  SuggestionMatcher,
  TogetherIndex,
} from '@aisle/suggestions'
import { SeededRandom } from '@aisle/testing'
import type { StoredDocument } from '../../packages/server/src/ports/catalog/document-reader.ts'
import type { SuggestionSource } from '../../packages/server/src/ports/suggestions/suggestion-source.ts'
import type { ServicePorts } from '../../packages/server/src/services/service-ports.ts'
import { suggestions } from '../../packages/server/src/services/suggestions/typeahead.ts'
import { toIndexDocument, type BenchCatalog } from './bench-catalog.ts'
import type { EngineUnderTest } from './engine-level.ts'
import { measure, type Latency } from './measure.ts'

export interface SuggestionsReport {
  readonly docCount: number
  readonly queryCount: number
  /** Events folded into the history per second. */
  readonly foldedPerSecond: number
  readonly buildMs: number
  readonly indexBytes: number
  readonly classes: Readonly<Record<string, Latency>>
}

const BATCH_DOCUMENTS = 500
/** Popularity decreases with the rank of a query, as in logs of shops. */
const ZIPF = 0.85
const EVENTS_PER_QUERY = 4
const TYPED_QUERIES = 60
const NOW_MS = Date.UTC(2026, 5, 15, 12)
const DAY_MS = 86_400_000

/**
 * Suggestions on one thread, from the parameters of a request to the text of its answer: everything
 * except HTTP. Queries are parts of titles, drawn by popularity and typed letter by letter.
 */
export async function suggestionsLevel(
  createEngine: (schema: Schema) => Promise<EngineUnderTest>,
  ports: BenchCatalog,
  queryCount: number,
): Promise<SuggestionsReport> {
  const schema: Schema = { fields: ports.fields }
  const engine = await createEngine(schema)
  const stored = await index(engine, ports)
  const seeded = new SeededRandom(1)
  const random = (): number => seeded.next()
  const queries = piecesOf(stored, queryCount, random)

  const history = new QueryHistory(engine.analyzer)
  const eventCount = queries.length * EVENTS_PER_QUERY
  const foldMs = performance.now()
  for (let i = 0; i < eventCount; i++) {
    // Every query once, further ones by popularity.
    const place = i < queries.length ? i : Math.floor(queries.length * random() ** (1 / (1 - ZIPF)))
    history.apply(searchEvent(queries[place]!, i, eventCount))
  }
  history.tick(NOW_MS + 60_000)
  const foldedPerSecond = (eventCount * 1_000) / (performance.now() - foldMs)

  const input = {
    table: history.table,
    documents: history.documents.documents,
    names: [],
    analyzer: engine.analyzer,
    today: dayOf(NOW_MS),
  }
  buildSuggestionIndex(input)
  const buildMs = performance.now()
  const buffer = buildSuggestionIndex(input)
  const tookMs = performance.now() - buildMs
  const known = {
    matcher: new SuggestionMatcher(new SuggestionIndex(buffer)),
    profiles: new ProfileIndex(buildProfileIndex(history.profiles.items)),
    together: new TogetherIndex(buildTogetherIndex({ ...history, today: input.today })),
  }
  const shop = catalogOf(engine, schema, stored, {
    of: () => Promise.resolve(known),
    popularity: () => undefined,
  })
  const typed = Array.from(
    { length: TYPED_QUERIES },
    () => queries[Math.floor(queries.length * random() ** (1 / (1 - ZIPF)))]!,
  )
  const keystrokes = typed.flatMap((query) =>
    Array.from({ length: query.length }, (_, i) => query.slice(0, i + 1)),
  )
  const tabs = ['brand', 'category', 'in_stock'].map((field) => ({
    label: field,
    limit: 4,
    filters: { [field]: field === 'in_stock' ? 'true' : 'Sony' },
  }))
  const ask = (more: object) => (q: string) => suggestions(shop, 'shop', {}, { q, ...more })
  const options = { warmupPasses: 1, passes: 3, limitMs: 5_000 }
  const only = { include_dropdown_product_list: false }
  const mistyped = typed.map((query) => swapped(query)).filter((query) => query !== undefined)
  return {
    docCount: ports.docCount,
    queryCount: queries.length,
    foldedPerSecond,
    buildMs: tookMs,
    indexBytes: buffer.byteLength,
    classes: {
      keystroke: await measure(keystrokes, ask(only), options),
      mistyped: await measure(mistyped, ask(only), options),
      'with tags': await measure(keystrokes, ask({ ...only, analytics_tags: ['web'] }), options),
      'with products': await measure(keystrokes, ask({ hitsPerPage: 5 }), options),
      'with three tabs': await measure(keystrokes, ask({ filtered_tabs: tabs }), options),
    },
  }
}

export function suggestionsText(report: SuggestionsReport): string {
  const whole = (value: number): string => Math.round(value).toLocaleString('en-US')
  return [
    `${whole(report.queryCount)} distinct queries, ${whole(report.docCount)} documents, one thread, without HTTP`,
    `folding ${whole(report.foldedPerSecond)} events/s; building ${whole(report.buildMs)} ms, ${whole(report.indexBytes / 1e6)} MB`,
    ...Object.entries(report.classes).map(
      ([name, { queries, p50, p99, bestP50, bestP99 }]) =>
        `${name}: p50 ${p50.toFixed(3)} ms, p99 ${p99.toFixed(3)} ms (best of passes ${bestP50.toFixed(3)}, ${bestP99.toFixed(3)}; ${whole(queries)} requests)`,
    ),
  ].join('\n')
}

async function index(engine: EngineUnderTest, ports: BenchCatalog): Promise<StoredDocument[]> {
  const stored: StoredDocument[] = []
  let batch = []
  for await (const line of ports.lines()) {
    const document = toIndexDocument(line, ports.fields, stored.length)
    stored.push({ docKey: stored.length, id: document.id, json: Buffer.from(line) })
    batch.push(document)
    if (batch.length < BATCH_DOCUMENTS) continue
    engine.add(batch)
    batch = []
  }
  engine.add(batch)
  await engine.finish()
  return stored
}

/** Distinct runs of one to four words of names. */
function piecesOf(
  stored: readonly StoredDocument[],
  count: number,
  random: () => number,
): string[] {
  const pieces = new Set<string>()
  for (let tries = 0; pieces.size < count && tries < 20 * count; tries++) {
    const { json } = stored[Math.floor(random() * stored.length)]!
    const { name, title } = JSON.parse(Buffer.from(json).toString()) as Record<string, string>
    const words = (name ?? title ?? '').toLowerCase().match(/[\p{L}\d]+/gu) ?? []
    const start = Math.floor(random() * words.length)
    const piece = words.slice(start, start + 1 + Math.floor(random() * 4)).join(' ')
    if (piece.length > 1) pieces.add(piece)
  }
  return [...pieces]
}

function searchEvent(query: string, i: number, count: number): VisitorEvent {
  const atMs = Math.floor(NOW_MS - 90 * DAY_MS * (1 - i / count))
  return {
    kind: 'event',
    name: 'search',
    source: 'server',
    messageId: String(i),
    atMs,
    receivedMs: atMs,
    visitor: { sessionId: `s${i}` },
    properties: { query, total_results: 1, analytics_tags: i % 3 === 0 ? ['web'] : [] },
  }
}

/** Swaps two neighbouring letters of the longest word; undefined if no word is long enough. */
function swapped(query: string): string | undefined {
  const word = query.split(' ').toSorted((a, b) => b.length - a.length)[0] ?? ''
  if (word.length < 6) return undefined
  return query.replace(word, word.slice(0, 2) + word[3]! + word[2]! + word.slice(4))
}

/** A store without the rest of the service. */
function catalogOf(
  engine: EngineUnderTest,
  schema: Schema,
  stored: readonly StoredDocument[],
  source: SuggestionSource,
): ServicePorts {
  const refuse = (): never => {
    throw new ApiError('unavailable', 'Not part of the benchmark')
  }
  const unused = new Proxy({}, { get: () => refuse }) as ServicePorts['writer'] &
    ServicePorts['edits'] &
    ServicePorts['events'] &
    ServicePorts['answers'] &
    ServicePorts['usage'] &
    ServicePorts['reports'] &
    ServicePorts['embedders'] &
    ServicePorts['queryVectors']
  const owner = { storeId: 'shop', createdAt: '2026-01-01T00:00:00.000Z' }
  return {
    registry: {
      find: () => ({
        ...owner,
        name: '',
        keys: { read: [], write: [], events: [] },
        eventsWriteKey: '',
        readSecret: '',
      }),
      list: () => [],
      statistics: refuse,
    },
    resources: { of: () => NO_RESOURCES },
    reader: {
      get: refuse,
      fetch: () => (docKey) => stored[docKey],
      scan: refuse,
      scanInserted: refuse,
    },
    backend: {
      view: () => ({
        schema,
        analyzer: engine.analyzer,
        resources: NO_RESOURCES,
        docCount: () => stored.length,
        version: 0,
        content: '',
        search: (plan) => engine.search(plan),
        complete: (plan, request) => engine.complete(plan, request),
        holds: (stems) => stems.map((stem) => engine.holds(stem)),
        matchingKeys: refuse,
      }),
    },
    suggestions: source,
    clock: { now: () => NOW_MS },
    writer: unused,
    events: unused,
    edits: unused,
    answers: unused,
    usage: unused,
    reports: unused,
    embedders: unused,
    queryVectors: unused,
  }
}

const NO_RESOURCES = { get: () => undefined, list: () => [] }
