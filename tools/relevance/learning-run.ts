import type { StoreKeys, ThinClient } from '@aisle/testing'
import { pairedBootstrap, type PairedDifference } from '../lib/bootstrap.ts'
import { mean } from '../lib/metrics.ts'
import { Progress, terminal } from '../lib/progress.ts'
import { textTable } from '../lib/text-table.ts'
import type { JudgedQuery } from './judged-set.ts'
import { mapConcurrently } from './run-queries.ts'
import type { SessionsReport } from './retrotech.ts'
import { learnFrom, SIMULATIONS, type RankedQuery } from './simulated-learning.ts'

/** Limits of learning that are measured, the default first. */
export const LEARNING_LIMITS = [0.2, 1] as const
/** Visitors per query, in four weeks. */
const SESSIONS = [40, 200] as const
/** Learning must not cost more than this where clicks mean nothing. */
export const LEARNING_HARM_MAX = 0.002
const HITS = 100

export interface LearningReport {
  readonly name: string
  readonly queries: number
  readonly before: number
  readonly rows: readonly {
    readonly simulation: string
    readonly sessions: number
    /** NDCG@10 with learning minus without, by limit. */
    readonly differences: readonly PairedDifference[]
  }[]
}

/** The first hits of each query, without learning. */
export function rankQueries(
  client: ThinClient,
  keys: StoreKeys,
  queries: readonly JudgedQuery[],
): Promise<RankedQuery[]> {
  return mapConcurrently(queries, 2, async (query) => {
    const parameters = { q: query.text, per_page: HITS, return_fields: ['id'], highlight: false }
    const { hits } = await client.search(keys, parameters)
    return { query, hits: hits.map(({ id, text_match_score: score }) => ({ id, score })) }
  })
}

/** NDCG@10 of a judged set after simulated visitors have clicked: docs/learning.md. */
export function measureLearning(name: string, ranked: readonly RankedQuery[]): LearningReport {
  const before = learnFrom(SIMULATIONS[0]!, ranked, { sessions: 0, limit: 0, seed: 1 })
  const all = SIMULATIONS.length * SESSIONS.length * LEARNING_LIMITS.length
  const progress = new Progress(`learning on ${name}`, all, terminal(), 'runs')
  const rows = SIMULATIONS.flatMap((simulation) =>
    SESSIONS.map((sessions) => ({
      simulation: simulation.name,
      sessions,
      differences: LEARNING_LIMITS.map((limit) => {
        const after = learnFrom(simulation, ranked, { sessions, limit, seed: 1 })
        progress.advance(1)
        return pairedBootstrap(
          after.flatMap((ndcg, i) => (ndcg === undefined ? [] : [ndcg - before[i]!])),
        )
      }),
    })),
  )
  progress.finish()
  return { name, queries: ranked.length, before: mean(before), rows }
}

export function learningText(reports: readonly LearningReport[]): string {
  return textTable([
    ['set', 'visitors', 'sessions per query', ...LEARNING_LIMITS.map((limit) => `limit ${limit}`)],
    ...reports.flatMap(({ name, before, queries, rows }) =>
      rows.map(({ simulation, sessions, differences }) => [
        `${name} (${before.toFixed(4)}, ${queries} queries)`,
        simulation,
        String(sessions),
        ...differences.map(({ mean: value }) => signed(value)),
      ]),
    ),
  ])
}

export function sessionsText({ sessions, queries, ndcg }: SessionsReport): string {
  return [
    `retrotech: ${sessions} sessions of ${queries} queries`,
    textTable([
      ['limit', 'NDCG@10', 'queries that lose'],
      ...ndcg.map(({ limit, ndcg: value, worse }) => [
        String(limit),
        value.toFixed(4),
        String(worse),
      ]),
    ]),
  ].join('\n')
}

/** The largest loss where clicks mean nothing, at the default limit. */
export function learningHarm(reports: readonly LearningReport[]): number {
  const losses = reports.flatMap(({ rows }) =>
    rows
      .filter(({ simulation }) => simulation !== SIMULATIONS.at(-1)!.name)
      .map(({ differences }) => -differences[0]!.mean),
  )
  return Math.max(0, ...losses)
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(4)}`
}
