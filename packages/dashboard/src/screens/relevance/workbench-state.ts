import type { QuerySet, RelevanceDraft, SearchResponse } from '@aisle/contract'
import { COMPARED_SEARCHES_MAX } from '@aisle/contract/limits'
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { useResources } from '../../parts/store-queries.ts'
import { useStore } from '../../session/store.ts'
import { useDraft, type Draft } from '../../state/draft.ts'
import { useUrlState } from '../../state/url-state.ts'
import { hitsOf, type Hit } from '../../parts/hits.ts'
import type { ClickRow, SetQuery } from './judgments.ts'
import { DEPTH, type ComparedQuery, type SideResult } from './metrics.ts'

/** Number of visitors' queries in a set. */
const VISITOR_QUERIES = 100
/** Number of queries that run: those with the highest weights. */
export const RUN_QUERIES_MAX = 200
const JUDGMENT_ROWS = 5_000
/** Requests in progress at a time. */
const PARALLEL = 2
const REPORT_FRESH_MS = 60_000

export interface QueryList {
  /** Name of the saved set; empty: what visitors search for. */
  readonly name: string
  readonly choose: (name: string) => void
  readonly saved: readonly string[]
  readonly draft: Draft<readonly SetQuery[]>
  readonly isLoading: boolean
  readonly error: unknown
}

/**
 * The queries by which configurations are compared: visitors' queries, or a saved set; changes to
 * it are a draft.
 */
export function useQueryList(): QueryList {
  const { storeId, calls } = useStore()
  const [name, choose] = useUrlState('set')
  const sets = useResources('query-sets')
  const visitors = useQuery({
    queryKey: ['report', storeId, 'top-queries', VISITOR_QUERIES],
    queryFn: () => calls.report('top-queries', { limit: VISITOR_QUERIES }),
    staleTime: REPORT_FRESH_MS,
  })
  const set = sets.data?.find((one) => one.name === name)
  const value = set?.value as Omit<QuerySet, 'name'> | undefined
  const searched = (visitors.data?.rows ?? [])
    .filter(({ query }) => query !== '*')
    .map(({ query, searches }): SetQuery => ({ q: query, weight: searches }))
  const base = name === '' ? searched : (value?.queries ?? [])
  return {
    name,
    choose,
    saved: (sets.data ?? []).map((one) => one.name),
    draft: useDraft<readonly SetQuery[]>(`query-set/${storeId}/${name}`, base),
    isLoading: sets.isPending || visitors.isPending,
    error: sets.error ?? (name === '' ? visitors.error : null),
  }
}

export interface Run {
  readonly result: UseQueryResult<readonly ComparedQuery[]>
  readonly done: number
  readonly total: number
}

/** Every query with the live configuration and with the draft. */
export function useRun(draft: RelevanceDraft, queries: readonly SetQuery[]): Run {
  const { storeId, calls } = useStore()
  const [done, setDone] = useState(0)
  const chosen = queries
    .toSorted((a, b) => (b.weight ?? 1) - (a.weight ?? 1))
    .slice(0, RUN_QUERIES_MAX)
  const asked = chosen.map(({ q, weight }) => ({ q, weight: weight ?? 1 }))
  const result = useQuery({
    queryKey: ['relevance-run', storeId, draft, asked],
    enabled: asked.length > 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const run: ComparedQuery[] = []
      const parts = chunks(asked, COMPARED_SEARCHES_MAX)
      setDone(0)
      const work = async (): Promise<void> => {
        for (let at = parts.shift(); at !== undefined && !signal.aborted; at = parts.shift()) {
          const searches = at.part.map(({ q }) => ({ ...RUN_SEARCH, q }))
          const { results } = await calls.compareDraft({ draft, searches })
          for (const [i, { live, draft: changed }] of results.entries()) {
            const { q, weight } = at.part[i]!
            run[at.first + i] = { q, weight, live: side(live), draft: side(changed) }
          }
          setDone((count) => count + results.length)
        }
      }
      await Promise.all(Array.from({ length: PARALLEL }, work))
      signal.throwIfAborted()
      return run
    },
  })
  return { result, done, total: asked.length }
}

const RUN_SEARCH = { per_page: DEPTH, return_fields: ['id'], highlight: false }

type Answer = SearchResponse | { readonly error: string }

function side(answer: Answer): SideResult {
  if ('error' in answer) return { ids: [], found: 0, error: answer.error }
  return { ids: hitsOf(answer).map(({ id }) => id), found: answer.found }
}

export interface SideHits {
  readonly hits: readonly Hit[]
  readonly found: number
  readonly error?: string
}

/** One query with the documents of both sides. */
export function useSides(
  draft: RelevanceDraft,
  q: string,
): UseQueryResult<{ readonly live: SideHits; readonly draft: SideHits }> {
  const { storeId, calls } = useStore()
  return useQuery({
    queryKey: ['relevance-query', storeId, draft, q],
    enabled: q !== '',
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const searches = [{ q, per_page: DEPTH, highlight: false }]
      const { results } = await calls.compareDraft({ draft, searches })
      const hits = (answer: Answer): SideHits =>
        'error' in answer
          ? { hits: [], found: 0, error: answer.error }
          : { hits: hitsOf(answer), found: answer.found }
      return { live: hits(results[0]!.live), draft: hits(results[0]!.draft) }
    },
  })
}

/** Judgments of the results from clicks; requested only if needed. */
export function useClicks(isWanted: boolean): UseQueryResult<readonly ClickRow[]> {
  const { storeId, calls } = useStore()
  return useQuery({
    queryKey: ['report', storeId, 'judgments', JUDGMENT_ROWS],
    enabled: isWanted,
    staleTime: REPORT_FRESH_MS,
    queryFn: async () => (await calls.report('judgments', { limit: JUDGMENT_ROWS })).rows,
  })
}

function chunks<One>(all: readonly One[], size: number) {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => ({
    first: i * size,
    part: all.slice(i * size, (i + 1) * size),
  }))
}
