import { hash } from 'node:crypto'
import type { Analyzer, FacetOutcome, Schema, SearchPlan } from '@aisle/engine'
import { readFacets } from './facet-request.ts'
import type { Question } from './question.ts'

/**
 * Asks for the facets of a search. Pages and orders of the same matches share the answer, so it is
 * remembered while the documents stay the same: the cluster takes longer to list thousands of
 * values than for the rest of a search.
 *
 * @param matched returns what identifies the matches of the search
 * @param main the search that counts them
 * @returns undefined for facets that depend on more than that
 */
export function facetsQuestion(
  matched: () => string,
  main: Readonly<Record<string, unknown>>,
  plan: SearchPlan,
  { schema, analyzer }: { readonly schema: Schema; readonly analyzer: Analyzer },
): Question<readonly FacetOutcome[]> | undefined {
  const { facets, groups } = plan
  if (facets.length === 0 || groups?.facetCount === 'groups') return undefined
  // Intervals take a second request, and a typed beginning of a value rarely recurs.
  if (facets.some(({ intervals, query }) => (intervals ?? query) !== undefined)) return undefined
  const { aggs, query } = main
  const types = facets.map(({ field }) => schema.fields[field]!.type)
  const text = JSON.stringify([matched(), aggs, facets, types], bigintAsText)
  return {
    key: `facets ${hash('sha256', text, 'base64')}`,
    cost: 2,
    none: [],
    keptMs: () => 0,
    body: () => ({ size: 0, track_total_hits: false, query, aggs }),
    read: ({ aggregations = {} }) => readFacets(aggregations, plan, schema, analyzer, new Map()),
  }
}

function bigintAsText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value
}
