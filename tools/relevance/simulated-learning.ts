import { createAnalyzer, type LearnedDocument } from '@aisle/engine'
import {
  buildPopularityIndex,
  dayOf,
  PopularityIndex,
  QueryHistory,
  readQuery,
} from '@aisle/suggestions'
import { SeededRandom } from '@aisle/testing'
import { TIER_STEP } from '../../packages/engine/src/scoring/formula.ts'
import { learnedFactor } from '../../packages/engine/src/scoring/learned-factor.ts'
import { ndcgAt } from '../lib/metrics.ts'
import type { JudgedQuery } from './judged-set.ts'

/**
 * Learning with simulated visitors: they see the order that has been learned, click by a model, and
 * their clicks are counted and learned from by the code of the service. docs/learning.md.
 */

/** A query and its hits without learning, best first. */
export interface RankedQuery {
  readonly query: JudgedQuery
  readonly hits: readonly { readonly id: string; readonly score: number }[]
}

/** Visitors who see a page: the clicks of one, as places from 0. */
type ClickModel = (
  grades: readonly number[],
  gradeMax: number,
  random: SeededRandom,
) => readonly number[]

export interface Simulation {
  readonly name: string
  readonly clicks: ClickModel
  /** A network that clicks on one document of each query as often as it can. */
  readonly isAttacked?: true
}

const PAGE = 10
const DEPTH = 100
const WEEKS = 4
const DAY_MS = 86_400_000
export const START_MS = Date.UTC(2026, 5, 15, 12)
/** Clients of the attacking network, each with a click on its document per query and day. */
const ATTACKERS = 50
/** The share of visitors who click at all where nothing is better than anything else. */
const BLIND_RATE = 0.3

const looksAt = (place: number, random: SeededRandom): boolean => random.next() < 1 / (place + 1)

const placesOf = (count: number): number[] => Array.from({ length: count }, (_, place) => place)

/** They click whatever is where they look. */
const byPosition: ClickModel = (grades, _, random) =>
  placesOf(grades.length).filter((place) => looksAt(place, random) && random.next() < BLIND_RATE)

export const SIMULATIONS: readonly Simulation[] = [
  {
    name: 'random clicks',
    clicks: (grades, _, random) => (grades.length === 0 ? [] : [random.below(grades.length)]),
  },
  { name: 'position-biased clicks', clicks: byPosition },
  { name: 'these, and one network attacks', clicks: byPosition, isAttacked: true },
  {
    name: 'clicks by judgment',
    clicks: (grades, gradeMax, random) =>
      grades.flatMap((grade, place) => {
        const isGood = random.next() < 0.05 + 0.5 * ((2 ** grade - 1) / (2 ** gradeMax - 1))
        return looksAt(place, random) && isGood ? [place] : []
      }),
  },
]

/**
 * Lets visitors of each query click for four weeks, in an order that is learned again each week.
 *
 * @returns NDCG@10 of each query in the end
 */
export function learnFrom(
  { clicks, isAttacked }: Simulation,
  queries: readonly RankedQuery[],
  { sessions, limit, seed }: { sessions: number; limit: number; seed: number },
): (number | undefined)[] {
  const random = new SeededRandom(seed)
  const analyzer = createAnalyzer('en')
  const history = new QueryHistory(analyzer)
  const keys = new Map<string, number>()
  const docKeyOf = (id: string): number => {
    const key = keys.get(id) ?? keys.size + 1
    keys.set(id, key)
    return key
  }
  const grades = queries.flatMap(({ query }) => [...query.judgments.values()])
  const gradeMax = grades.reduce((most, grade) => Math.max(most, grade), 1)
  let index: PopularityIndex | undefined
  const orderOf = ({ query, hits }: RankedQuery): string[] => {
    const key = readQuery(query.text, analyzer)?.key
    const learned = key === undefined ? undefined : index?.learnedOf(key)
    return reranked(hits, (id) => learned?.get(docKeyOf(id)), limit)
  }
  let visitors = 0
  for (let week = 0; week < WEEKS; week++) {
    for (const ranked of queries) {
      const order = orderOf(ranked)
      const { text, judgments } = ranked.query
      const shown = order.slice(0, PAGE).map((id) => judgments.get(id) ?? 0)
      for (let i = 0; i < sessions / WEEKS; i++) {
        const name = `v${visitors++}`
        for (const place of clicks(shown, gradeMax, random)) {
          const atMs = START_MS + week * 7 * DAY_MS
          history.apply(clickOn(text, order[place]!, place + 1, name, name, atMs))
        }
      }
      if (isAttacked !== true || order.length === 0) continue
      const target = ranked.hits[random.below(Math.min(DEPTH, ranked.hits.length))]!.id
      for (let i = 0; i < ATTACKERS; i++) {
        const atMs = START_MS + week * 7 * DAY_MS
        history.apply(clickOn(text, target, PAGE, `a${i}`, 'attackers', atMs))
      }
    }
    const today = dayOf(START_MS + (week + 1) * 7 * DAY_MS)
    const { appeal, table } = history
    index = new PopularityIndex(buildPopularityIndex({ appeal, table, docKeyOf, today }))
  }
  return queries.map((ranked) => ndcgAt(PAGE, orderOf(ranked), ranked.query.judgments))
}

/** The order with the factors of learning: they multiply points, within a tier. */
export function reranked(
  hits: RankedQuery['hits'],
  learnedOf: (id: string) => LearnedDocument | undefined,
  limit: number,
): string[] {
  return hits
    .map(({ id, score }) => {
      const tier = Math.floor(score / TIER_STEP) * TIER_STEP
      const factor = learnedFactor(limit, learnedOf(id)?.lift ?? 0)
      return { id, score: tier + Math.min(TIER_STEP - 1, Math.floor((score - tier) * factor)) }
    })
    .sort((a, b) => b.score - a.score)
    .map(({ id }) => id)
}

/** A click of a visitor, as the log has it. */
export function clickOn(
  query: string,
  id: string,
  position: number,
  visitor: string,
  network: string,
  atMs: number,
): Parameters<QueryHistory['apply']>[0] {
  return {
    kind: 'event',
    name: 'click',
    source: 'simple',
    messageId: '',
    atMs,
    receivedMs: atMs,
    visitor: { sessionId: visitor, anonymousId: visitor, client: visitor, network },
    properties: { query, document_id: id, position },
  }
}
