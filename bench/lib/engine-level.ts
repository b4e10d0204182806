import type {
  Analyzer,
  CompletionOutcome,
  CompletionRequest,
  IndexDocument,
  Schema,
  SearchOutcome,
  SearchPlan,
} from '@aisle/engine'
import type { RankingPart } from '../../packages/engine/src/query/ranking-parts.ts'
import { planSearch } from '../../packages/server/src/domain/plan/plan-search.ts'
import { toIndexDocument, type BenchCatalog } from './bench-catalog.ts'
import { measure, type Latency, type MeasureOptions } from './measure.ts'
import type { QueryClass, QueryClassName } from './query-classes.ts'

/** What the benchmark requires of an index in this process. */
export interface EngineUnderTest {
  /** Name in the report. */
  readonly name: string
  readonly analyzer: Analyzer
  /** Whether it was opened from the files of an earlier run: nothing must be added. */
  readonly isKept: boolean
  /** Adds documents; they become searchable with `finish`. */
  add(documents: readonly IndexDocument[]): void
  /** Makes everything searchable and merges like a service in steady state. */
  finish(): Promise<void> | void
  /** Adds documents and makes them searchable, as after a write. */
  publish(documents: readonly IndexDocument[]): void
  /** Clears the caches, as after a start. */
  forget(): void
  /** Merges all segments into one and searches that. */
  mergeAll(): void
  search(plan: SearchPlan): SearchOutcome
  complete(plan: SearchPlan, request: CompletionRequest): CompletionOutcome
  holds(stem: string): boolean
  /** Bytes of the index in memory. */
  readonly indexBytes: number
  /** Its bytes by section. */
  readonly sectionBytes: ReadonlyMap<string, number>
  readonly segmentCount: number
  /**
   * Writes the index to files and opens it again, like a restart.
   * @returns milliseconds to open
   */
  reopen?(): Promise<number>
}

export interface EngineReport {
  readonly name: string
  /** Time to index text, without JSON parsing; absent: the index is from an earlier run. */
  readonly docsPerSecond?: number
  readonly bytesPerDocument: number
  /** Bytes per document by section (docs/formats/segment.md), the largest first. */
  readonly sections: readonly (readonly [name: string, bytesPerDocument: number])[]
  readonly segmentCount: number
  readonly coldStartMs?: number
  readonly classes: Partial<Record<QueryClassName, Latency>>
  /** The same without the named parts of the ranking, measured in turns with the full ranking. */
  readonly without?: {
    readonly parts: readonly RankingPart[]
    readonly classes: Partial<Record<QueryClassName, Latency>>
  }
}

const BATCH_DOCUMENTS = 500

/**
 * The engine alone, in this process and on one thread: plan and execute, without HTTP, stored
 * documents and highlights.
 */
export async function engineLevel(
  create: (schema: Schema) => Promise<EngineUnderTest>,
  catalog: BenchCatalog,
  classes: readonly QueryClass[],
  options: MeasureOptions & {
    onProgress?: (documents: number) => void
    /** Parts of the ranking to measure by leaving them out. */
    without?: readonly RankingPart[]
  } = {},
): Promise<EngineReport> {
  const schema: Schema = { fields: catalog.fields }
  const engine = await create(schema)
  const indexingMs = await fillEngine(engine, catalog, options.onProgress)
  const coldStartMs = await engine.reopen?.()

  const { without = [] } = options
  const latencies: Partial<Record<QueryClassName, Latency>> = {}
  const latenciesWithout: Partial<Record<QueryClassName, Latency>> = {}
  for (const { name, queries } of classes) {
    const plan = (query: QueryClass['queries'][number]): SearchPlan => {
      const context = { schema, analyzer: engine.analyzer, nowMs: performance.now() }
      return planSearch(query, context).plan
    }
    latencies[name] = await measure(queries, (query) => engine.search(plan(query)), options)
    if (without.length === 0) continue
    const runWithout = (query: QueryClass['queries'][number]): SearchOutcome =>
      engine.search({ ...plan(query), without })
    latenciesWithout[name] = await measure(queries, runWithout, options)
  }
  return {
    name: engine.name,
    ...(indexingMs === undefined ? {} : { docsPerSecond: catalog.docCount / (indexingMs / 1_000) }),
    bytesPerDocument: engine.indexBytes / catalog.docCount,
    sections: [...engine.sectionBytes]
      .map(([name, bytes]) => [name, bytes / catalog.docCount] as const)
      .sort(([, a], [, b]) => b - a),
    segmentCount: engine.segmentCount,
    ...(coldStartMs === undefined ? {} : { coldStartMs }),
    classes: latencies,
    ...(without.length === 0 ? {} : { without: { parts: without, classes: latenciesWithout } }),
  }
}

/**
 * Indexes a catalog, unless the engine has it from an earlier run.
 *
 * @returns milliseconds, or undefined
 */
export async function fillEngine(
  engine: EngineUnderTest,
  catalog: BenchCatalog,
  onProgress?: (documents: number) => void,
): Promise<number | undefined> {
  if (!engine.isKept) return await index(engine, catalog, onProgress)
  await engine.finish()
  return undefined
}

async function index(
  engine: EngineUnderTest,
  catalog: BenchCatalog,
  onProgress: ((documents: number) => void) | undefined,
): Promise<number> {
  let indexingMs = 0
  let docKey = 0
  let batch: IndexDocument[] = []
  const flush = (): void => {
    const startMs = performance.now()
    engine.add(batch)
    indexingMs += performance.now() - startMs
    onProgress?.(batch.length)
    batch = []
  }
  for await (const line of catalog.lines()) {
    batch.push(toIndexDocument(line, catalog.fields, ++docKey))
    if (batch.length === BATCH_DOCUMENTS) flush()
  }
  if (batch.length > 0) flush()
  const startMs = performance.now()
  await engine.finish()
  return indexingMs + performance.now() - startMs
}
