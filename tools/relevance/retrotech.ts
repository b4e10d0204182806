import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { createAnalyzer } from '@aisle/engine'
import {
  buildPopularityIndex,
  dayOf,
  PopularityIndex,
  QueryHistory,
  readQuery,
} from '@aisle/suggestions'
import type { StoreKeys, ThinClient } from '@aisle/testing'
import { mean, ndcgAt } from '../lib/metrics.ts'
import { clickOn, reranked, START_MS, type RankedQuery } from './simulated-learning.ts'

/** A visitor's search: the products shown, and which of them were clicked. */
interface Session {
  readonly query: string
  readonly shown: readonly { readonly id: string; readonly isClicked: boolean }[]
}

/** Share of the sessions that are learned from; the others judge. */
const LEARNED_SHARE = 0.8
const PER_PAGE = 250

export interface SessionsReport {
  readonly sessions: number
  readonly queries: number
  /** NDCG@10 by limit. */
  readonly ndcg: readonly {
    readonly limit: number
    readonly ndcg: number
    readonly worse: number
  }[]
}

/**
 * Learns from the first sessions of each query of a real shop. The clicks of the others, corrected
 * for position, judge the order of the products that were shown.
 */
export async function learnFromSessions(
  client: ThinClient,
  keys: StoreKeys,
  folder: string,
  limits: readonly number[],
): Promise<SessionsReport> {
  const byQuery = Map.groupBy(readSessions(folder), ({ query }) => query)
  const history = new QueryHistory(createAnalyzer('en'))
  const ranked: RankedQuery[] = []
  let visitors = 0
  for (const [text, sessions] of byQuery) {
    const learned = sessions.slice(0, Math.floor(LEARNED_SHARE * sessions.length))
    for (const { shown } of learned) {
      const name = `v${visitors++}`
      for (const [place, { id, isClicked }] of shown.entries()) {
        if (isClicked) history.apply(clickOn(text, id, place + 1, name, name, START_MS))
      }
    }
    const judgments = attractions(sessions.slice(learned.length))
    const answer = await client.search(keys, { q: text, per_page: PER_PAGE, highlight: false })
    const hits = answer.hits
      .filter(({ id }) => judgments.has(id))
      .map(({ id, text_match_score: score }) => ({ id, score }))
    ranked.push({ query: { id: text, text, judgments }, hits })
  }
  const ids = ranked.flatMap(({ hits }) => hits.map(({ id }) => id))
  const docKeyOf = (id: string): number => ids.indexOf(id) + 1
  const { appeal, table } = history
  const index = new PopularityIndex(
    buildPopularityIndex({ appeal, table, docKeyOf, today: dayOf(START_MS) }),
  )
  const analyzer = createAnalyzer('en')
  const measured = (limit: number): (number | undefined)[] =>
    ranked.map(({ query, hits }) => {
      const learned = index.learnedOf(readQuery(query.text, analyzer)!.key)
      const order = reranked(hits, (id) => learned.get(docKeyOf(id)), limit)
      return ndcgAt(10, order, query.judgments)
    })
  const before = measured(0)
  return {
    sessions: [...byQuery.values()].reduce((sum, { length }) => sum + length, 0),
    queries: ranked.length,
    ndcg: [0, ...limits].map((limit) => {
      const after = measured(limit)
      const worse = after.filter((ndcg, i) => (ndcg ?? 0) < (before[i] ?? 0) - 1e-9).length
      return { limit, ndcg: mean(after), worse }
    }),
  }
}

/** Clicks per look, where visitors look at rank r with a probability of 1/r. */
function attractions(sessions: readonly Session[]): Map<string, number> {
  const looks = new Map<string, number>()
  const clicks = new Map<string, number>()
  for (const { shown } of sessions) {
    for (const [place, { id, isClicked }] of shown.entries()) {
      looks.set(id, (looks.get(id) ?? 0) + 1 / (place + 1))
      if (isClicked) clicks.set(id, (clicks.get(id) ?? 0) + 1)
    }
  }
  return new Map([...looks].map(([id, count]) => [id, (clicks.get(id) ?? 0) / count]))
}

function readSessions(folder: string): Session[] {
  const text = gunzipSync(readFileSync(join(folder, 'retrotech/sessions.tsv.gz'))).toString()
  const sessions = new Map<string, { query: string; shown: { id: string; isClicked: boolean }[] }>()
  for (const line of text.split('\n').slice(1)) {
    const [query = '', session = '', position = '', id = '', clicked = ''] = line.split('\t')
    if (id === '') continue
    // Several queries have a session of the same number.
    const key = `${query}\n${session}`
    const known = sessions.get(key) ?? { query, shown: [] }
    sessions.set(key, known)
    known.shown[Number(position)] = { id, isClicked: clicked === '1' }
  }
  return [...sessions.values()]
}
