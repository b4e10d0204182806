import { nearQuery } from '../opensearch/product-vectors.ts'
import { presenceTerm, valueTerm } from '../opensearch/product-terms.ts'
import { slotName, type SlotMap } from '../opensearch/field-slots.ts'
import type { FilterNode } from '@aisle/engine'
import { areaQuery } from './area-query.ts'
import { allOf, anyOf, formPrefixIn, formsIn, inOneValue, noneOf, type At } from './row-query.ts'
import type { Query } from './product-searches.ts'
import type { SearchPlace } from './search-place.ts'

type Leaf = Exclude<FilterNode, { kind: 'and' | 'or' | 'not' | 'elements' }>
type RangeLeaf = Pick<
  Extract<Leaf, { kind: 'range' }>,
  'low' | 'high' | 'lowInclusive' | 'highInclusive'
>

const NOTHING: Query = { match_none: {} }
const INT64_MIN = -(2n ** 63n)
const INT64_MAX = 2n ** 63n - 1n

/** Matches the documents of a store by a filter; combine it with the scope of the store. */
export function filterQuery(place: SearchPlace, filter: FilterNode): Query {
  return nodeQuery(place, filter, '')
}

function nodeQuery(place: SearchPlace, filter: FilterNode, at: At): Query {
  switch (filter.kind) {
    case 'and':
      return allOf(filter.nodes.map((node) => nodeQuery(place, node, at)))
    case 'or':
      return anyOf(filter.nodes.map((node) => nodeQuery(place, node, at)))
    case 'not':
      return noneOf([nodeQuery(place, filter.node, at)])
    case 'elements': {
      const ofField = { term: { 'elements.of': presenceTerm(place.scope, filter.field) } }
      const query = allOf([ofField, nodeQuery(place, filter.node, 'elements.')])
      return { nested: { path: 'elements', query, score_mode: 'none' } }
    }
    default:
      return leafQuery(place, filter, at)
  }
}

function leafQuery({ scope, slots }: SearchPlace, leaf: Leaf, at: At): Query {
  switch (leaf.kind) {
    case 'ids':
      return { terms: { id: leaf.ids } }
    case 'near':
      return allOf([
        { term: { [`${at}present`]: presenceTerm(scope, leaf.field) } },
        nearQuery(leaf),
      ])
    case 'exists':
      return { term: { [`${at}present`]: presenceTerm(scope, leaf.field) } }
    case 'equals':
      return equalsQuery(scope, columnOf(slots, leaf.field, at), leaf.value)
    case 'valuePrefix':
      return prefixQuery(columnOf(slots, leaf.field, at).name, valueTerm(scope, leaf.prefix))
    case 'range':
      return rangeQuery(columnOf(slots, leaf.field, at), leaf)
    case 'within':
      return areaQuery(columnOf(slots, leaf.field, at).name, leaf.area)
    case 'words': {
      const forms = [...new Set(leaf.forms)]
      if (forms.length > 1) return inOneValue(scope, leaf.field, forms, at)
      return formsIn(scope, [leaf.field], forms, at)
    }
    case 'wordPrefix':
      return formPrefixIn(scope, leaf.field, leaf.prefix, at)
  }
}

function prefixQuery(field: string, prefix: string): Query {
  return { prefix: { [field]: { value: prefix } } }
}

/** Where the mapping has the values of a field; for strings, the folded ones. */
export interface Column {
  readonly kind: 'text' | 'long' | 'double' | 'place'
  readonly name: string
  /** For strings: where the values are as written. */
  readonly raw: string
}

export function columnOf(slots: SlotMap, field: number, at: At = ''): Column {
  const column = slots[field]?.column
  if (column === undefined) throw new Error(`Field ${field} has no column`)
  const { kind, slot } = column
  if (kind !== 'text') return { kind, name: at + slotName(kind, slot), raw: '' }
  return { kind, name: at + slotName('folded', slot), raw: at + slotName('raw', slot) }
}

function equalsQuery(
  scope: string,
  { kind, name }: Column,
  value: string | number | bigint | boolean,
): Query {
  if (kind === 'text') return { term: { [name]: valueTerm(scope, String(value)) } }
  if (typeof value === 'boolean') return { term: { [name]: Number(value) } }
  if (typeof value === 'string') return NOTHING
  return rangeQuery({ kind, name }, { low: value, high: value })
}

/** Bounds may lie beyond what the column can hold, or between its values. */
export function rangeQuery(column: Pick<Column, 'kind' | 'name'>, range: RangeLeaf): Query {
  const bounds = column.kind === 'long' ? longBounds(range) : doubleBounds(range)
  return bounds === undefined ? NOTHING : { range: { [column.name]: bounds } }
}

function longBounds({ low, high, lowInclusive = true, highInclusive = true }: RangeLeaf) {
  const from = low === undefined ? INT64_MIN : lowestLong(low, lowInclusive)
  const to = high === undefined ? INT64_MAX : -lowestLong(-high, highInclusive)
  if (from > to || from > INT64_MAX || to < INT64_MIN) return undefined
  const within = (value: bigint): string =>
    String(value < INT64_MIN ? INT64_MIN : value > INT64_MAX ? INT64_MAX : value)
  return { gte: within(from), lte: within(to) }
}

/** The least integer that is at least, or above, the bound. */
function lowestLong(bound: number | bigint, inclusive: boolean): bigint {
  if (typeof bound === 'bigint') return inclusive ? bound : bound + 1n
  if (bound === Infinity) return INT64_MAX + 1n
  if (bound === -Infinity) return INT64_MIN
  const up = BigInt(Math.ceil(bound))
  return inclusive || !Number.isInteger(bound) ? up : up + 1n
}

function doubleBounds({ low, high, lowInclusive = true, highInclusive = true }: RangeLeaf) {
  const from = low === undefined ? -Infinity : Number(low)
  const to = high === undefined ? Infinity : Number(high)
  if (from === Infinity || to === -Infinity) return undefined
  return {
    // Adds 0, which turns -0 into 0. Infinite bounds are left out.
    ...(from === -Infinity ? {} : { [lowInclusive ? 'gte' : 'gt']: from + 0 }),
    ...(to === Infinity ? {} : { [highInclusive ? 'lte' : 'lt']: to + 0 }),
  }
}
