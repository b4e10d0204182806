import { allBoosts, withScore, type SearchPlan, type SortKey } from '@aisle/engine'
import { similaritySort } from '../opensearch/product-vectors.ts'
import { distanceByScore, exactDistance, isRounded } from './distance-order.ts'
import { columnOf, filterQuery } from './filter-query.ts'
import type { Query } from './product-searches.ts'
import { noneOf } from './row-query.ts'
import { coarseClauses } from './coarse-words.ts'
import type { PlannedWords } from './word-query.ts'
import type { SearchPlace } from './search-place.ts'

/** The sort order of matches on the cluster. */
export interface CoarseOrder {
  /** Clauses of the score; they do not affect what matches. */
  readonly clauses: readonly Query[]
  readonly sort: readonly Query[]
}

/**
 * The end of every order: the documents inserted last come first. `key` names the document; those
 * of an older version lack `inserted` until they have been rewritten.
 */
export const BY_INSERTION: readonly Query[] = [
  { inserted: { order: 'desc', missing: '_last', unmapped_type: 'long' } },
  { key: { order: 'desc' } },
]

/**
 * Builds the order in which the cluster returns matches. Sorting by fields follows docs/ranking.md.
 * Text match, popularity, filters and the random order share one score of 24 bits. It is coarse: it
 * only chooses the candidates, which our own formula then ranks.
 */
export function coarseOrder(words: PlannedWords): CoarseOrder {
  const { plan, place } = words
  const keys = withScore(plan.sort)
  const sort: Query[] = []
  const clauses: Query[] = []
  let scored: 'no' | 'open' | 'closed' = 'no'
  let boost = 2 ** 23
  for (const key of keys) {
    if (key.kind === 'field') {
      sort.push(...fieldSort(place, key))
      if (scored === 'open') scored = 'closed'
      continue
    }
    if (key.kind === 'similarity') {
      sort.push(similaritySort(key, key.descending))
      if (scored === 'open') scored = 'closed'
      continue
    }
    if (key.kind === 'distance') {
      const isByScore = isRounded(key) && scored === 'no'
      const how = isByScore ? distanceByScore(place, key, boost) : exactDistance(place, key)
      sort.push(...how.sort)
      clauses.push(...how.clauses)
      if (isByScore || scored === 'open') scored = 'closed'
      continue
    }
    // The score can only be one sort key.
    if (scored === 'closed') continue
    if (scored === 'no') {
      scored = 'open'
      const isAscending = key.kind === 'textMatch' && !key.descending
      sort.push({ _score: { order: isAscending ? 'asc' : 'desc' } })
    }
    if (key.kind === 'textMatch' && plan.slots.length > 0) {
      clauses.push(...coarseClauses(words))
      // The keys after it are finer than the steps of the score.
      scored = 'closed'
    } else {
      clauses.push(...keyClauses(place, plan, key, boost))
      boost /= key.kind === 'filter' ? 2 : POPULARITY_STEPS
    }
  }
  return { clauses, sort: [...sort, ...BY_INSERTION] }
}

function fieldSort(
  { slots }: SearchPlace,
  { field, descending, missing }: Extract<SortKey, { kind: 'field' }>,
): Query[] {
  const { kind, name, raw } = columnOf(slots, field)
  const how = { order: descending ? 'desc' : 'asc', missing: `_${missing}` }
  if (kind === 'text') return [{ [name]: how }, { [raw]: how }]
  if (kind !== 'long') return [{ [name]: how }]
  // A missing value counts as the largest integer. The same key in the other direction tells it
  // from that integer.
  return [{ [name]: how }, { [name]: { ...how, order: descending ? 'asc' : 'desc' } }]
}

/** Levels of popularity that the score can tell apart. */
const POPULARITY_STEPS = 256
/** Maximum of documents whose popularity is sent to the cluster: the most popular ones. */
const POPULAR_MAX = 10_000

function keyClauses(place: SearchPlace, plan: SearchPlan, key: SortKey, boost: number): Query[] {
  switch (key.kind) {
    case 'filter': {
      const met = filterQuery(place, key.filter)
      return [constant(key.descending ? met : noneOf([met]), boost)]
    }
    case 'popularity':
      return popularityClauses(plan, key.descending, boost)
    case 'textMatch':
      return allBoosts(plan).flatMap((one) => boostClauses(place, one, boost))
    case 'random':
      // A different shuffle than that of the candidates, but also a stable one.
      return [
        {
          function_score: {
            query: { match_all: {} },
            functions: [{ random_score: { seed: key.seed, field: 'key' }, weight: boost }],
            boost_mode: 'replace',
          },
        },
      ]
    case 'similarity':
    case 'distance':
    case 'field':
      return []
  }
}

function constant(filter: Query, boost: number): Query {
  return { constant_score: { filter, boost: Math.max(1, Math.round(boost)) } }
}

/** Adds logarithms, because their sums have the same order as products of the factors. */
function boostClauses(
  place: SearchPlace,
  { filter, factor }: SearchPlan['boosts'][number],
  boost: number,
): Query[] {
  const doublings = Math.log2(factor)
  if (doublings === 0) return []
  const met = filterQuery(place, filter)
  const steps = (Math.abs(doublings) / DOUBLINGS_MAX) * boost
  return [constant(doublings > 0 ? met : noneOf([met]), steps)]
}

/**
 * All boosts of a document multiply to at most a thousand, ten doublings; several smaller ones fit
 * in this range.
 */
const DOUBLINGS_MAX = 40

function popularityClauses(
  { popularity }: SearchPlan,
  descending: boolean,
  boost: number,
): Query[] {
  if (popularity === undefined) return []
  const { docKeys, levels, levelMax } = popularity.documents
  const byLevel = [...docKeys.keys()].sort((a, b) => levels[b]! - levels[a]!).slice(0, POPULAR_MAX)
  const byStep = Map.groupBy(byLevel, (at) =>
    Math.ceil((levels[at]! / levelMax) * (POPULARITY_STEPS - 1)),
  )
  const steps = [...byStep].map(([step, ats]) => {
    const keys = ats.map((at) => docKeys[at]!)
    return { step, query: { terms: { key: keys } } }
  })
  const worth = (step: number) => (step / POPULARITY_STEPS) * boost
  if (descending) return steps.map(({ step, query }) => constant(query, worth(step)))
  // The least popular come first, and documents without popularity before them.
  return [
    constant(noneOf(steps.map(({ query }) => query)), boost),
    ...steps.map(({ step, query }) => constant(query, worth(POPULARITY_STEPS - step))),
  ]
}
