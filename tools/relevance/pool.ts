import type { StoreKeys, ThinClient } from '@aisle/testing'
import { Fts5 } from '../lib/fts5.ts'
import { mean, ndcgAt } from '../lib/metrics.ts'
import type { JudgedQuery, JudgedSet } from './judged-set.ts'
import { mapConcurrently, type QueryResult } from './run-queries.ts'

/** Judged results per ranking: the first page of a visitor. */
const POOL_DEPTH = 10

/** FTS5 over the searched fields of a judged set's schema. */
async function fts5Of(set: JudgedSet): Promise<Fts5> {
  const { fields } = set.schema as { fields: { name: string; searchable: boolean }[] }
  const searched = fields.filter((field) => field.searchable).map((field) => field.name)
  return Fts5.of(searched, set.lines())
}

/**
 * The documents to judge: the first ten of the service and the first ten of FTS5. In the order of
 * ids, so that a judge sees neither ranks nor sources.
 *
 * @returns document ids by query id
 */
export async function pooled(
  client: ThinClient,
  keys: StoreKeys,
  set: JudgedSet,
): Promise<Map<string, string[]>> {
  const fts5 = await fts5Of(set)
  const pools = await mapConcurrently(set.queries, 2, async ({ id, text }) => {
    const { hits } = await client.search(keys, {
      q: text,
      per_page: POOL_DEPTH,
      return_fields: ['id'],
    })
    const ids = new Set([...hits.map((hit) => hit.id), ...fts5.search(text, POOL_DEPTH)])
    return [id, [...ids].toSorted()] as const
  })
  fts5.close()
  return new Map(pools)
}

/** Mean NDCG@10 of FTS5 on a set whose pool contains the results of FTS5. */
export async function fts5Ndcg(set: JudgedSet): Promise<number> {
  const fts5 = await fts5Of(set)
  const figures = set.queries.map(({ text, judgments }) =>
    ndcgAt(POOL_DEPTH, fts5.search(text, POOL_DEPTH), judgments),
  )
  fts5.close()
  return mean(figures)
}

/** The first pages of a pooled set. */
export interface Shown {
  readonly documents: number
  /** Unjudged documents, and the queries that show them. */
  readonly unjudged: number
  readonly unjudgedQueries: readonly string[]
  /** Queries that no document of the catalog answers, and the documents shown nevertheless. */
  readonly withoutAnswer: number
  readonly shownWithoutAnswer: number
}

export function shownOf(results: readonly QueryResult[], queries: readonly JudgedQuery[]): Shown {
  const judgments = new Map(queries.map((query) => [query.id, query.judgments]))
  const pages = results.map(({ id, ranked, ndcg }) => {
    const page = ranked.slice(0, POOL_DEPTH)
    const unjudged = page.filter((document) => judgments.get(id)?.has(document) !== true).length
    return { id, shown: page.length, unjudged, answered: ndcg !== undefined }
  })
  const unanswered = pages.filter(({ answered }) => !answered)
  return {
    documents: sum(pages.map(({ shown }) => shown)),
    unjudged: sum(pages.map(({ unjudged }) => unjudged)),
    unjudgedQueries: pages.filter(({ unjudged }) => unjudged > 0).map(({ id }) => id),
    withoutAnswer: unanswered.length,
    shownWithoutAnswer: sum(unanswered.map(({ shown }) => shown)),
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
