import { Session } from 'node:inspector/promises'
import type { Profiler } from 'node:inspector'
import { textTable } from '../../tools/lib/text-table.ts'
import { planSearch } from '../../packages/server/src/domain/plan/plan-search.ts'
import type { EngineUnderTest } from './engine-level.ts'
import { quantile } from '../../tools/lib/metrics.ts'
import type { QueryClass } from './query-classes.ts'
import type { Schema } from '@aisle/engine'

/** Functions that begin a step of a search, by name, with the step's name in the report. */
const STEPS: Readonly<Record<string, string>> = {
  planSearch: 'read the query: grammar, analysis, plan',
  resolveSlot: 'look up each word: forms, splits, corrections, documents of each',
  findMatches: 'find the matches: sets of each word, combined',
  chooseStrategies: 'choose the matches that must be scored',
  offerCandidates: 'score the matches that can reach the page',
  countMatches: 'count all matches and their facets',
  entries: 'pairs, order of the page',
}
const REST = 'everything else'

/** The time of a class by step. */
export interface StepsReport {
  readonly title: string
  readonly queries: number
  /** Milliseconds of one pass over all queries, by the best pass. */
  readonly bestP50: number
  readonly meanMs: number
  /** Share of the processor time by step; they add up to 1. */
  readonly shares: ReadonlyMap<string, number>
  readonly samples: number
}

const SAMPLE_US = 100
const WARMUP_PASSES = 3

/**
 * Runs the queries of a class for `seconds` under the sampling profiler of V8, and attributes each
 * sample to the outermost step in its stack.
 */
export async function stepsLevel(
  engine: EngineUnderTest,
  schema: Schema,
  { title, queries }: QueryClass,
  seconds: number,
): Promise<StepsReport> {
  const best = new Array<number>(queries.length).fill(Infinity)
  const pass = (): void => {
    for (const [at, query] of queries.entries()) {
      const beforeMs = performance.now()
      const context = { schema, analyzer: engine.analyzer, nowMs: beforeMs }
      engine.search(planSearch(query, context).plan)
      best[at] = Math.min(best[at]!, performance.now() - beforeMs)
    }
  }
  for (let i = 0; i < WARMUP_PASSES; i++) pass()
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_US })
  await session.post('Profiler.start')
  const startMs = performance.now()
  let passes = 0
  for (; passes === 0 || performance.now() - startMs < seconds * 1_000; passes++) pass()
  const meanMs = (performance.now() - startMs) / passes / queries.length
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  return {
    title,
    queries: queries.length,
    bestP50: quantile(best, 0.5),
    meanMs,
    ...sharesOf(profile),
  }
}

function sharesOf(profile: Profiler.Profile): Pick<StepsReport, 'shares' | 'samples'> {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
  const steps = new Map<number, string>()
  const walk = (id: number, outer: string): void => {
    const node = nodes.get(id)!
    const { functionName } = node.callFrame
    const own = Object.hasOwn(STEPS, functionName) ? STEPS[functionName]! : REST
    const step = outer === REST ? own : outer
    steps.set(id, step)
    for (const child of node.children ?? []) walk(child, step)
  }
  walk(profile.nodes[0]!.id, REST)
  const counts = new Map([...Object.values(STEPS), REST].map((step) => [step, 0]))
  const samples = profile.samples ?? []
  for (const id of samples) counts.set(steps.get(id)!, counts.get(steps.get(id)!)! + 1)
  const shares = new Map([...counts].map(([step, n]) => [step, n / samples.length]))
  return { shares, samples: samples.length }
}

/** A table of the steps, with their microseconds of the median query if all queries were alike. */
export function stepsText(reports: readonly StepsReport[]): string {
  return reports
    .map(({ title, queries, bestP50, meanMs, shares, samples }) => {
      const rows = [...shares].map(([step, share]) => [
        step,
        `${(share * 100).toFixed(0)} %`,
        (share * bestP50 * 1_000).toFixed(0),
      ])
      const head =
        `${title}: ${queries} queries, best p50 ${(bestP50 * 1_000).toFixed(0)} us, ` +
        `mean ${(meanMs * 1_000).toFixed(0)} us, ${samples} samples`
      return `${head}\n\n${textTable([['step', 'share', 'us of the p50'], ...rows])}`
    })
    .join('\n\n')
}
