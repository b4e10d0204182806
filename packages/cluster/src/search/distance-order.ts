import type { SortKey } from '@aisle/engine'
import { columnOf } from './filter-query.ts'
import type { Query } from './product-searches.ts'
import type { SearchPlace } from './search-place.ts'

/** Clauses that make the score, and the sort keys. */
interface DistanceOrder {
  readonly clauses: readonly Query[]
  readonly sort: readonly Query[]
}

type DistanceKey = Extract<SortKey, { kind: 'distance' }>

/** Whether different distances may count as equal. */
export function isRounded({ excludeMeters, precisionMeters }: DistanceKey): boolean {
  return excludeMeters > 0 || precisionMeters > 0
}

/** Orders by the exact distance. */
export function exactDistance({ slots }: SearchPlace, key: DistanceKey): DistanceOrder {
  const { name } = columnOf(slots, key.field)
  const order = key.descending ? 'desc' : 'asc'
  const distance = { [name]: key.from, order, unit: 'm', mode: 'min', distance_type: 'arc' }
  return { clauses: [], sort: [presence(name, key), { _geo_distance: distance }] }
}

/** Steps of the precision that the score tells apart; places further away are ordered exactly. */
const STEPS_MAX = 64
/** The score halves over this distance in metres, so that it distinguishes places a metre apart. */
const HALVING = '5000km'

/**
 * Orders by rounded distance. The cluster cannot round one, but it can count the circles that a
 * place lies in, and its score decays with the distance from a circle.
 *
 * @param boost the greatest score
 */
export function distanceByScore(
  { slots }: SearchPlace,
  key: DistanceKey,
  boost: number,
): DistanceOrder {
  const { name } = columnOf(slots, key.field)
  const { excludeMeters, precisionMeters, from } = key
  const radii =
    precisionMeters === 0
      ? []
      : Array.from({ length: STEPS_MAX }, (_, i) => (i + 1) * precisionMeters).filter(
          (meters) => meters > excludeMeters,
        )
  const step = boost / (STEPS_MAX + 1)
  const within = (meters: number): Query => ({
    constant_score: {
      filter: {
        geo_distance: { distance: `${meters}m`, distance_type: 'arc', [name]: from },
      },
      boost: Math.round(step),
    },
  })
  const offset = `${Math.max(excludeMeters, radii.at(-1) ?? 0)}m`
  const decay = { [name]: { origin: from, scale: HALVING, offset, decay: 0.5 } }
  const beyond = {
    function_score: {
      query: { exists: { field: name } },
      functions: [
        {
          exp: { ...decay, multi_value_mode: 'MIN' },
          weight: radii.length === 0 ? boost : Math.round(step),
        },
      ],
      boost_mode: 'replace',
    },
  }
  return {
    clauses: [...radii.map(within), beyond],
    sort: [presence(name, key), { _score: { order: key.descending ? 'asc' : 'desc' } }],
  }
}

/** Documents without a place come last or first, whatever the direction. */
function presence(name: string, { missing }: DistanceKey): Query {
  // 1 if there is a place; otherwise missing.
  return { [name.replace('place', 'placed')]: { order: 'asc', missing: `_${missing}` } }
}
