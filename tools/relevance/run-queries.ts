import type { StoreKeys, ThinClient } from '@aisle/testing'
import { condensedNdcgAt, gradeShareAt, judgedAt, ndcgAt, recallAt } from '../lib/metrics.ts'
import type { JudgedQuery } from './judged-set.ts'

/** The result of one query. */
export interface QueryResult {
  readonly id: string
  readonly text: string
  readonly ranked: readonly string[]
  readonly found: number
  readonly ndcg: number | undefined
  readonly condensed: number | undefined
  readonly recall: number | undefined
  /** Grades of the first five, of the best possible. */
  readonly firstFive: number | undefined
  readonly judged: number
  /** `skipped`: the vector of the query was not there in time. */
  readonly semantic?: 'skipped' | undefined
  /** Time from sending the request to the complete answer. */
  readonly tookMs: number
}

export interface RunOptions {
  /** Added to every search. */
  readonly parameters: Readonly<Record<string, unknown>>
  readonly goodGrade: number
  readonly concurrency?: number
  readonly onProgress?: (queries: number) => void
}

/** Depth of recall. NDCG@10 uses the first ten of the same answer. */
const RECALL_DEPTH = 100
const NDCG_DEPTH = 10

/** Runs queries like from a shop's search box: whole, as typed, one search each. */
export async function runQueries(
  client: ThinClient,
  keys: StoreKeys,
  queries: readonly JudgedQuery[],
  options: RunOptions,
): Promise<QueryResult[]> {
  return await mapConcurrently(queries, options.concurrency ?? 2, async (query) => {
    const startMs = performance.now()
    const answer = await client.search(keys, {
      return_fields: ['id'],
      highlight: false,
      ...options.parameters,
      q: query.text,
      per_page: RECALL_DEPTH,
    })
    const tookMs = performance.now() - startMs
    options.onProgress?.(1)
    const ranked = answer.hits.map((hit) => hit.id)
    const { judgments } = query
    return {
      id: query.id,
      text: query.text,
      ranked,
      found: answer.found,
      ndcg: ndcgAt(NDCG_DEPTH, ranked, judgments),
      condensed: condensedNdcgAt(NDCG_DEPTH, ranked, judgments),
      firstFive: gradeShareAt(5, ranked, judgments),
      recall: recallAt(RECALL_DEPTH, ranked, judgments, options.goodGrade),
      judged: judgedAt(NDCG_DEPTH, ranked, judgments),
      semantic: answer.semantic,
      tookMs,
    }
  })
}

/**
 * A page of ten must be the first ten of a page of a hundred; otherwise the computed NDCG is not
 * that of a shop's page of ten.
 *
 * @returns texts of sampled queries whose pages differ
 */
export async function differingPages(
  client: ThinClient,
  keys: StoreKeys,
  results: readonly QueryResult[],
  options: RunOptions,
): Promise<string[]> {
  const differing: string[] = []
  for (const result of results) {
    const answer = await client.search(keys, {
      return_fields: ['id'],
      ...options.parameters,
      q: result.text,
      per_page: NDCG_DEPTH,
    })
    const page = answer.hits.map((hit) => hit.id)
    if (page.join('\n') !== result.ranked.slice(0, NDCG_DEPTH).join('\n'))
      differing.push(result.text)
  }
  return differing
}

/** Maps in order of the input, with a few concurrent calls. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  concurrency: number,
  call: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) {
      const item = items[at]
      if (item !== undefined) results[at] = await call(item)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return results
}
