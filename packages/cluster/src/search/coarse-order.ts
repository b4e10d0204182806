import type { SearchPlan, SortKey } from '@aisle/engine'
import { distanceByScore, exactDistance, isRounded } from './distance-order.ts'
import { columnOf, filterQuery } from './filter-query.ts'
import type { Query } from './product-searches.ts'
import { noneOf } from './row-query.ts'
import { type PlannedWords, coarseClauses } from './word-query.ts'
import type { SearchPlace } from './search-place.ts'

/** The sort order of matches on the cluster. */
export interface CoarseOrder {
  /** Clauses of the score; they do not affect what matches. */
  readonly clauses: readonly Query[]
  readonly sort: readonly Query[]
}

/**
 * Builds the order in which the cluster returns matches. By fields it is that of docs/ranking.md.
 * What ranking, popularity, filters and chance say is put into one score of 24 bits, which is
 * coarse: from it come the candidates that are put in order by our own formula.
 */
export function coarseOrder(words: PlannedWords): CoarseOrder {
  const { plan, place } = words
  const keys = plan.sort.some((key) => key.kind === 'textMatch')
    ? plan.sort
    : [...plan.sort, { kind: 'textMatch', descending: true } as const]
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
    if (key.kind === 'distance') {
      const isByScore = isRounded(key) && scored === 'no'
      const how = isByScore ? distanceByScore(place, key, boost) : exactDistance(place, key)
      sort.push(...how.sort)
      clauses.push(...how.clauses)
      if (isByScore || scored === 'open') scored = 'closed'
      continue
    }
    // One score has one place in the order.
    if (scored === 'closed') continue
    if (scored === 'no') {
      scored = 'open'
      const isAscending = key.kind === 'textMatch' && !key.descending
      sort.push({ _score: { order: isAscending ? 'asc' : 'desc' } })
    }
    if (key.kind === 'textMatch' && plan.slots.length > 0) {
      clauses.push(...coarseClauses(words))
      // Whatever follows is finer than points are here.
      scored = 'closed'
    } else {
      clauses.push(...keyClauses(place, plan, key, boost))
      boost /= key.kind === 'filter' ? 2 : POPULARITY_STEPS
    }
  }
  return { clauses, sort: [...sort, { key: { order: 'desc' } }] }
}

function fieldSort(
  { slots }: SearchPlace,
  { field, descending, missing }: Extract<SortKey, { kind: 'field' }>,
): Query[] {
  const { kind, name, raw } = columnOf(slots, field)
  const how = { order: descending ? 'desc' : 'asc', missing: `_${missing}` }
  if (kind === 'text') return [{ [name]: how }, { [raw]: how }]
  if (kind !== 'long') return [{ [name]: how }]
  // A missing value counts as the last integer there is: from that one, the same in the other
  // direction tells it apart.
  return [{ [name]: how }, { [name]: { ...how, order: descending ? 'asc' : 'desc' } }]
}

/** Different levels of popularity, and of boosts, that the score can tell apart. */
const POPULARITY_STEPS = 256
/** Documents of which the popularity is told to the cluster: the most popular ones. */
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
      return plan.boosts.flatMap((one) => boostClauses(place, one, boost))
    case 'random':
      // Another shuffle than that of the candidates, and always the same one too.
      return [
        {
          function_score: {
            query: { match_all: {} },
            functions: [{ random_score: { seed: key.seed, field: 'key' }, weight: boost }],
            boost_mode: 'replace',
          },
        },
      ]
    case 'distance':
    case 'field':
      return []
  }
}

function constant(filter: Query, boost: number): Query {
  return { constant_score: { filter, boost: Math.max(1, Math.round(boost)) } }
}

/** Sums of logarithms are in the order of products. */
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

/** Boosts of a document are worth a thousand, at most: ten doublings; one of several is less. */
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
  // The least popular first: those that are not among them before all.
  return [
    constant(noneOf(steps.map(({ query }) => query)), boost),
    ...steps.map(({ step, query }) => constant(query, worth(POPULARITY_STEPS - step))),
  ]
}
