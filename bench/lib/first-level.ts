import { setTimeout as sleep } from 'node:timers/promises'
import { textTable } from '../../tools/lib/text-table.ts'
import { quantile } from '../../tools/lib/metrics.ts'
import { planSearch } from '../../packages/server/src/domain/plan/plan-search.ts'
import type { IndexDocument, Schema } from '@aisle/engine'
import { toIndexDocument, type BenchCatalog } from './bench-catalog.ts'
import type { EngineUnderTest } from './engine-level.ts'
import type { BenchQuery, QueryClass } from './query-classes.ts'

/** Number of searches compared with warm ones, per class. */
const QUERIES_PER_CLASS = 60
const WARM_PASSES = 3
/** Documents of the publication. */
const PUBLISHED = 500

/** Milliseconds of the same queries, each in one state of the caches. */
interface FirstLatency {
  readonly state: string
  /** The first search of the class. */
  readonly firstMs: number
  readonly p50: number
  readonly p99: number
}

export interface FirstReport {
  readonly title: string
  readonly queries: number
  readonly latencies: readonly FirstLatency[]
  /** The best of several passes. */
  readonly warm: FirstLatency
}

/**
 * The cost of searches that were never sent before: after opening the index, after an idle time,
 * after a publication and after a merge. Compiled code is warm, as in a service that has run for a
 * while.
 *
 * @param idleSeconds duration of the idle time
 */
export async function firstLevel(
  engine: EngineUnderTest,
  catalog: BenchCatalog,
  classes: readonly QueryClass[],
  idleSeconds: number,
): Promise<FirstReport[]> {
  const schema: Schema = { fields: catalog.fields }
  const samples = classes.map(({ queries }) => sampleOf(queries))
  const run = (query: BenchQuery): number => {
    const beforeMs = performance.now()
    const context = { schema, analyzer: engine.analyzer, nowMs: beforeMs }
    engine.search(planSearch(query, context).plan)
    return performance.now() - beforeMs
  }
  const warmUp = (): number[][] =>
    samples.map((queries) => {
      const best = queries.map(() => Infinity)
      for (let pass = 0; pass < WARM_PASSES; pass++) {
        for (const [at, query] of queries.entries()) best[at] = Math.min(best[at]!, run(query))
      }
      return best
    })
  const once = (): number[][] => samples.map((queries) => queries.map(run))
  warmUp()
  const states: [string, number[][]][] = []
  engine.forget()
  states.push(['after opening', once()])
  const warm = warmUp()
  await sleep(idleSeconds * 1_000)
  states.push([`after ${idleSeconds} s idle`, once()])
  engine.publish(await firstDocuments(catalog, PUBLISHED))
  states.push(['after a publication', once()])
  engine.mergeAll()
  states.push(['after a merge', once()])
  return classes.map(({ title }, i) => ({
    title,
    queries: samples[i]!.length,
    latencies: states.map(([state, tookMs]) => latencyOf(state, tookMs[i]!)),
    warm: latencyOf('warm', warm[i]!),
  }))
}

/** The first documents of a catalog again, as new ones. */
async function firstDocuments(catalog: BenchCatalog, count: number): Promise<IndexDocument[]> {
  const documents: IndexDocument[] = []
  for await (const line of catalog.lines()) {
    if (documents.length === count) break
    const docKey = catalog.docCount + documents.length + 1
    documents.push(toIndexDocument(line, catalog.fields, docKey))
  }
  return documents
}

/** Distinct queries, evenly spaced. */
function sampleOf(queries: readonly BenchQuery[]): BenchQuery[] {
  const distinct = [...new Map(queries.map((query) => [JSON.stringify(query), query])).values()]
  const step = Math.max(1, distinct.length / QUERIES_PER_CLASS)
  const count = Math.min(QUERIES_PER_CLASS, distinct.length)
  return Array.from({ length: count }, (_, i) => distinct[Math.floor(i * step)]!)
}

function latencyOf(state: string, tookMs: readonly number[]): FirstLatency {
  return {
    state,
    firstMs: tookMs[0]!,
    p50: quantile(tookMs, 0.5),
    p99: quantile(tookMs, 0.99),
  }
}

/** A row per class, with each state and its ratio to the warm one. */
export function firstText(reports: readonly FirstReport[]): string {
  const states = reports[0]?.latencies.map(({ state }) => state) ?? []
  const head = ['class, ms of p50 / p99', 'warm', ...states.flatMap((state) => [state, 'times'])]
  const rows = reports.map(({ title, warm, latencies }) => [
    title,
    pair(warm),
    ...latencies.flatMap((latency) => [
      pair(latency),
      `${(latency.p50 / warm.p50).toFixed(1)} / ${(latency.p99 / warm.p99).toFixed(1)}`,
    ]),
  ])
  return textTable([head, ...rows])
}

function pair({ p50, p99 }: FirstLatency): string {
  return `${p50.toPrecision(3)} / ${p99.toPrecision(3)}`
}
