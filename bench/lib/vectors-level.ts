import { textTable } from '../../tools/lib/text-table.ts'
import { quantile } from '../../tools/lib/metrics.ts'
import { planSearch } from '../../packages/server/src/domain/plan/plan-search.ts'
import type { IndexDocument, Schema } from '@aisle/engine'
import type { EngineUnderTest } from './engine-level.ts'

/** Searches for the nearest vectors: their time, and how many of the true ones they find. */
export interface VectorsReport {
  readonly documents: number
  readonly dimensions: number
  readonly loadSeconds: number
  readonly rows: readonly VectorsRow[]
}

interface VectorsRow {
  readonly name: string
  readonly p50Ms: number
  readonly p90Ms: number
  /** Share of the first 10 and 100 of an exact scan that are among the first 10 and 100. */
  readonly recall10: number
  readonly recall100: number
}

const DIMENSIONS = 384
const DEPARTMENTS = 40
const KINDS = 2_000
const BATCH = 2_000
const QUERIES = 60
const SHARES = { tenth: 10, hundredth: 100 }

const SCHEMA: Schema = {
  fields: [
    { name: 'title', type: 'string', searchable: true, facet: false, sort: false },
    { name: 'tenth', type: 'int32', searchable: false, facet: true, sort: false },
    { name: 'hundredth', type: 'int32', searchable: false, facet: true, sort: false },
    {
      name: 'meaning',
      type: 'vector',
      searchable: false,
      facet: false,
      sort: false,
      vector: { dimensions: DIMENSIONS, metric: 'cosine' },
    },
  ],
}

/**
 * Vectors of a mixture of directions, as texts of a catalog have them: departments, kinds of
 * products, and products that differ within a kind.
 */
export async function vectorsLevel(
  create: (schema: Schema) => Promise<EngineUnderTest>,
  documents: number,
  onProgress: (documents: number) => void,
): Promise<VectorsReport> {
  const engine = await create(SCHEMA)
  const random = randomNumbers(1)
  const departments = Array.from({ length: DEPARTMENTS }, () => direction(random))
  const kinds = Array.from({ length: KINDS }, (_, kind) => {
    const own = direction(random)
    return departments[kind % DEPARTMENTS]!.map((value, i) => value + own[i]!)
  })
  const made = (): number[] => {
    const kind = kinds[Math.floor(random() * KINDS)]!
    const own = direction(random)
    return kind.map((value, i) => value + own[i]!)
  }
  const startMs = performance.now()
  for (let from = 0; from < documents; from += BATCH) {
    const batch: IndexDocument[] = []
    for (let i = from; i < Math.min(documents, from + BATCH); i++) {
      const values = [`product ${i % 1000}`, i % SHARES.tenth, i % SHARES.hundredth, made()]
      batch.push({ docKey: i + 1, id: String(i), values })
    }
    engine.add(batch)
    onProgress(batch.length)
  }
  await engine.finish()
  const loadSeconds = (performance.now() - startMs) / 1_000
  const queries = Array.from({ length: QUERIES }, made)
  const rows = [
    measure(engine, queries, 'all', {}),
    measure(engine, queries, 'a filter that keeps a tenth', { filter_by: 'tenth:3' }),
    measure(engine, queries, 'a filter that keeps a hundredth', { filter_by: 'hundredth:3' }),
    measure(engine, queries, 'min_similarity .3', {}, 0.3),
  ]
  return { documents, dimensions: DIMENSIONS, loadSeconds, rows }
}

function measure(
  engine: EngineUnderTest,
  queries: readonly (readonly number[])[],
  name: string,
  filter: { readonly filter_by?: string },
  least?: number,
): VectorsRow {
  const run = (values: readonly number[], isExact: boolean) => {
    // Every vector has at least this similarity, and is compared to know it.
    const min_similarity = least ?? (isExact ? -2 : undefined)
    const sort_by = isExact ? '_similarity,_text_match' : ''
    const request = { q: '*', per_page: 100, sort_by, ...filter }
    const vector = { field: 'meaning', values, min_similarity }
    const context = { schema: SCHEMA, analyzer: engine.analyzer, nowMs: performance.now() }
    const { plan } = planSearch({ ...request, vector, search_timeout_ms: 60_000 }, context)
    // An ascending order by the opposite has no shortcut.
    const sort = plan.sort.map((key) =>
      isExact && key.kind === 'similarity'
        ? { ...key, vector: opposite(key.vector), descending: false }
        : key,
    )
    return engine.search({ ...plan, sort, deadlineMs: Infinity }).hits.map(({ docKey }) => docKey)
  }
  for (const values of queries.slice(0, 5)) run(values, false)
  const times: number[] = []
  let [ten, hundred] = [0, 0]
  for (const values of queries) {
    const startMs = performance.now()
    const found = run(values, false)
    times.push(performance.now() - startMs)
    const exact = run(values, true)
    ten += shared(found.slice(0, 10), exact.slice(0, 10))
    hundred += shared(found, exact)
  }
  return {
    name,
    p50Ms: quantile(times, 0.5),
    p90Ms: quantile(times, 0.9),
    recall10: ten / queries.length,
    recall100: hundred / queries.length,
  }
}

function opposite<T extends { readonly codes: Int16Array }>(vector: T): T {
  return { ...vector, codes: vector.codes.map((code) => -code) }
}

function shared(found: readonly number[], exact: readonly number[]): number {
  if (exact.length === 0) return 1
  const known = new Set(found)
  return exact.filter((key) => known.has(key)).length / exact.length
}

/** Numbers of a normal distribution, each about the same. */
function direction(random: () => number): number[] {
  return Array.from({ length: DIMENSIONS }, () => random() + random() + random() + random() - 2)
}

/** Mulberry32: the same numbers in every run. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function vectorsText({ documents, dimensions, loadSeconds, rows }: VectorsReport): string {
  return [
    `${documents} vectors of ${dimensions} dimensions, loaded in ${loadSeconds.toFixed(1)} s; one thread`,
    textTable([
      ['nearest 100 of', 'p50 ms', 'p90 ms', 'recall@10', 'recall@100'],
      ...rows.map(({ name, p50Ms, p90Ms, recall10, recall100 }) => [
        name,
        p50Ms.toFixed(2),
        p90Ms.toFixed(2),
        recall10.toFixed(3),
        recall100.toFixed(3),
      ]),
    ]),
  ].join('\n')
}
