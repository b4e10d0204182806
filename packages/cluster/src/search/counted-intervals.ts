import type { SearchPlan } from '@aisle/engine'
import { facetSpans, intervalAggregations, type FacetSpans } from './facet-request.ts'
import type { SearchAnswer } from './product-searches.ts'
import type { SearchPlace } from './search-place.ts'

export interface CountedIntervals {
  /** Aggregations of the first request and of the intervals. */
  readonly aggregations: NonNullable<SearchAnswer['aggregations']>
  readonly spans: FacetSpans
  readonly isPartial: boolean
}

/** Counts calendar intervals in a second request, once the first and last date are known. */
export async function countIntervals(
  place: SearchPlace,
  plan: SearchPlan,
  main: Record<string, unknown>,
  { aggregations = {} }: SearchAnswer,
  ask: (bodies: readonly object[]) => Promise<readonly SearchAnswer[]>,
): Promise<CountedIntervals> {
  const spans = facetSpans(aggregations, plan)
  // One search for each facet: the cluster's limit is 65,535 buckets per search.
  const bodies = intervalAggregations(place, plan, spans).map((aggs) => ({
    query: main['query'],
    size: 0,
    aggs,
  }))
  const answers = bodies.length === 0 ? [] : await ask(bodies)
  const all = Object.assign({}, aggregations, ...answers.map((one) => one.aggregations))
  const isPartial = answers.some((one) => one.timed_out)
  return { aggregations: all, spans, isPartial }
}
