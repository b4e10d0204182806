import { MEANING_CANDIDATES, PAIR_CANDIDATES_MAX } from '@aisle/engine/rescoring'
import { hasBoosts, type SearchPlan } from '@aisle/engine'
import { SOURCE } from './candidate-reader.ts'
import { BY_INSERTION, coarseOrder } from './coarse-order.ts'
import { filterQuery } from './filter-query.ts'
import { similaritySort } from '../opensearch/product-vectors.ts'
import type { Query } from './product-searches.ts'
import { allOf, anyOf } from './row-query.ts'
import { conditionQueries, matchingQuery, type PlannedWords } from './word-query.ts'

/** Maximum of matches that the cluster returns, its `max_result_window`. */
export const WINDOW_MAX = 100_000
/** Number of documents compared with the best one ("Relevance" in docs/ranking.md). */
const RELEVANT_MAX = 1_000

/**
 * The search that counts everything and chooses candidates. Pinned documents count in facets but
 * are not among its hits.
 *
 * @param facets aggregations
 * @param relevantKeys docKeys of the only documents that match; absent: all that match the words
 */
export function mainSearch(
  words: PlannedWords,
  facets: Record<string, object>,
  relevantKeys?: readonly number[],
): Record<string, unknown> {
  const { plan, place } = words
  const matching = matchingOf(words, relevantKeys)
  const pins = plan.pins.length === 0 ? [] : [pinnedQuery(plan)]
  const meant = meantQuery(words)
  const isByWords =
    plan.slots.length > 0 && relevantKeys === undefined && pins.length + meant.length === 0
  const { filter, must_not } = conditionQueries(words, isByWords)
  const { clauses, sort } = coarseOrder(words)
  const planFilter = plan.filter === undefined ? [] : [filterQuery(place, plan.filter)]
  // A disjunctive facet counts what the filter leaves out.
  const [before, after] = plan.disjunctiveFacets ? [[], planFilter] : [planFilter, []]
  // What only its meaning finds is counted in facets too, and listed by `meaningSearch`.
  const listed = meant.length === 0 ? after : [...after, matching]
  const isPosted = listed.length + pins.length > 0
  return {
    track_total_hits: true,
    _source: SOURCE,
    query: {
      bool: {
        filter: [...filter, anyOf([matching, ...pins, ...meant]), ...before],
        must_not,
        should: clauses,
        minimum_should_match: 0,
      },
    },
    ...(isPosted ? { post_filter: { bool: { filter: listed, must_not: pins } } } : {}),
    ...(Object.keys(facets).length === 0 ? {} : { aggs: facets }),
    sort,
  }
}

/** Matches documents by the words, or those of `relevantKeys` if given. */
function matchingOf(words: PlannedWords, relevantKeys: readonly number[] | undefined): Query {
  return relevantKeys === undefined ? matchingQuery(words) : withKeys(relevantKeys)
}

/**
 * Lists matches without pinned documents in the order of the main search: those that match `filter`
 * and none of `except`.
 */
export function listSearch(
  words: PlannedWords,
  relevantKeys: readonly number[] | undefined,
  {
    filter = [],
    except,
  }: { readonly filter?: readonly Query[]; readonly except: readonly Query[] },
): Record<string, unknown> {
  const { plan, place } = words
  const conditions = conditionQueries(words)
  const pins = plan.pins.length === 0 ? [] : [pinnedQuery(plan)]
  const { clauses, sort } = coarseOrder(words)
  const planFilter = plan.filter === undefined ? [] : [filterQuery(place, plan.filter)]
  return {
    query: {
      bool: {
        filter: [
          ...conditions.filter,
          anyOf([matchingOf(words, relevantKeys), ...meantQuery(words)]),
          ...planFilter,
          ...filter,
        ],
        must_not: [...conditions.must_not, ...pins, ...except],
        should: clauses,
        minimum_should_match: 0,
      },
    },
    sort,
  }
}

/**
 * Matches all results, including pinned documents.
 *
 * @param node replaces the filter of the plan
 */
export function foundQuery(
  words: PlannedWords,
  relevantKeys: readonly number[] | undefined,
  node = words.plan.filter,
): Query {
  const { plan, place } = words
  const { filter, must_not } = conditionQueries(words)
  const pins = plan.pins.length === 0 ? [] : [pinnedQuery(plan)]
  const planFilter = node === undefined ? [] : [filterQuery(place, node)]
  const matching = anyOf([matchingOf(words, relevantKeys), ...pins, ...meantQuery(words)])
  return { bool: { filter: [...filter, matching, ...planFilter], must_not } }
}

/**
 * Lists the documents that no word finds and whose meaning is near enough, the most similar first.
 * @returns undefined if the plan asks for none
 */
export function meaningSearch(
  words: PlannedWords,
  relevantKeys: readonly number[] | undefined,
): ((size: number) => object) | undefined {
  const { plan, place } = words
  const meant = meantQuery(words)
  if (meant.length === 0) return undefined
  const { filter, must_not } = conditionQueries(words)
  const pins = plan.pins.length === 0 ? [] : [pinnedQuery(plan)]
  const planFilter = plan.filter === undefined ? [] : [filterQuery(place, plan.filter)]
  return (size) => ({
    size,
    track_total_hits: true,
    _source: SOURCE,
    query: {
      bool: {
        filter: [...filter, ...meant, ...planFilter],
        must_not: [...must_not, matchingOf(words, relevantKeys), ...pins],
      },
    },
    sort: [similaritySort(plan.meaning!, true), ...BY_INSERTION],
  })
}

/** Matches documents by their meaning, with words or without them; none unless the plan does. */
function meantQuery({ plan: { slots, meaning }, place }: PlannedWords): Query[] {
  if (meaning?.least === undefined || slots.length === 0) return []
  const { field, vector, least } = meaning
  return [filterQuery(place, { kind: 'near', field, vector, least })]
}

function withKeys(keys: readonly number[]): Query {
  return keys.length === 0 ? { match_none: {} } : { terms: { key: keys } }
}

function pinnedQuery({ pins }: SearchPlan): Query {
  return { terms: { id: pins.map(({ id }) => id) } }
}

/** The range of matches to return, and its position among them. */
export interface Page {
  /** Rank, without pins, of the first one. */
  readonly from: number
  readonly size: number
}

/** The first page needs all candidates of the second stage; a page after them needs none. */
export function pageOf(plan: SearchPlan): Page {
  const { from, size, pins } = plan
  if (size === 0) return { from: 0, size: 0 }
  if (isByInsertion(plan)) return { from: 0, size: Math.min(WINDOW_MAX, from + size) }
  // Pins may take the places of the same number of others.
  const first = Math.max(0, from - pins.length)
  // Some that only their meaning finds may come before them.
  const added = hasMeaning(plan) ? MEANING_CANDIDATES : 0
  const isBehind = first >= PAIR_CANDIDATES_MAX + added
  const start = isBehind ? Math.min(first - added, WINDOW_MAX) : 0
  const end = Math.min(WINDOW_MAX, from + size)
  return { from: start, size: Math.max(isBehind ? 0 : PAIR_CANDIDATES_MAX, end - start) }
}

function hasMeaning({ slots, meaning }: SearchPlan): boolean {
  return slots.length > 0 && meaning !== undefined
}

/** Whether only their insertion orders documents: then the order of the cluster is exact. */
function isByInsertion({ slots, sort, popularity, ...plan }: SearchPlan): boolean {
  const isTie = ({ kind }: SearchPlan['sort'][number]) =>
    kind === 'textMatch' || (kind === 'popularity' && popularity === undefined)
  return slots.length === 0 && !hasBoosts(plan) && sort.every(isTie)
}

/**
 * Removes the order from a search whose matches are all returned, because our formula orders them:
 * scoring on the cluster takes longer than the rest of such a search.
 */
export function withoutOrder(main: Record<string, unknown>): Record<string, unknown> {
  const { bool } = main['query'] as { readonly bool: object }
  return { ...main, query: { bool: { ...bool, should: [] } }, sort: BY_INSERTION }
}

/**
 * Puts the match before the order. A filter is evaluated last, so for rare words, each segment
 * spent most of the time looking up the terms of the order before it found that nothing matches.
 */
export function matchedFirst(search: Record<string, unknown>): Record<string, unknown> {
  const { bool } = search['query'] as { readonly bool: Readonly<Record<string, unknown>> }
  const { filter, ...order } = bool
  return { ...search, query: { bool: { must: [{ bool: { filter } }], ...order } } }
}

/** The first page of a search with groups: all documents that our formula or pins place. */
export function firstPage({ pins }: SearchPlan, least: number): Page {
  const last = Math.max(least, ...pins.map(({ position }) => position))
  return { from: 0, size: Math.min(WINDOW_MAX, last) }
}

/** The pinned documents that match. */
export function pinSearch(words: Pick<PlannedWords, 'place' | 'plan'>): object {
  const { plan, place } = words
  const { filter, must_not } = conditionQueries(words)
  const planFilter = plan.filter === undefined ? [] : [filterQuery(place, plan.filter)]
  return {
    size: plan.pins.length,
    _source: SOURCE,
    query: { bool: { filter: [...filter, pinnedQuery(plan), ...planFilter], must_not } },
  }
}

/** Finds documents that may be relevant, regardless of filters and pins. */
export function relevanceSearch(words: PlannedWords): object {
  const { filter, must_not } = conditionQueries(words)
  const plan = { ...words.plan, sort: [], boosts: [] }
  const { clauses, sort } = coarseOrder({ ...words, plan })
  return matchedFirst({
    size: RELEVANT_MAX,
    _source: SOURCE,
    query: {
      bool: {
        filter: [...filter, allOf([matchingQuery(words)])],
        must_not,
        should: clauses,
        minimum_should_match: 0,
      },
    },
    sort,
  })
}
