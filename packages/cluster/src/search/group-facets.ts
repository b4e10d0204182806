import { withoutField } from '@aisle/engine/rescoring'
import type { FacetRequest, Scalar } from '@aisle/engine'
import type { GroupCounts } from './facet-request.ts'
import { columnOf, rangeQuery } from './filter-query.ts'
import { countGroups, GroupCount } from './group-count.ts'
import type { GroupSearch } from './group-search.ts'
import { foundQuery } from './main-request.ts'
import type { Query } from './product-searches.ts'
import { allOf } from './row-query.ts'

/** Counts of groups, by facet of the plan. */
export interface GroupFacets {
  readonly facets: readonly GroupCounts[]
  /** Time ran out. */
  readonly isPartial: boolean
}

type Search = Pick<GroupSearch, 'words' | 'groups' | 'values' | 'relevantKeys' | 'ask' | 'sizes'>

/**
 * Counts the groups that have a value, or something in a range, for the facets of a plan.
 *
 * @param valuesOf returns the values of a facet among documents
 */
export async function countGroupFacets(
  search: Search,
  valuesOf: (facet: number) => readonly Scalar[],
): Promise<GroupFacets> {
  const facets = search.words.plan.facets.map((request, i) =>
    request.ranges === undefined
      ? new ValueFacet(search, request, valuesOf(i))
      : new RangeFacet(search, request, request.ranges),
  )
  const isPartial = await countGroups(
    facets.flatMap((facet) => facet.open),
    search.ask,
  )
  return { facets: facets.map((facet) => facet.counts()), isPartial }
}

/** Counts the groups of documents in a facet that match further conditions. */
function countOf(
  { words, groups, values, relevantKeys, sizes }: Search,
  { field }: FacetRequest,
  conditions: readonly Query[],
  column?: string,
): GroupCount {
  const { filter, disjunctiveFacets } = words.plan
  const node = filter !== undefined && disjunctiveFacets ? withoutField(filter, field) : filter
  return new GroupCount({
    groups,
    values,
    query: allOf([foundQuery(words, relevantKeys, node), ...conditions]),
    listedMax: sizes.listed,
    ...(column === undefined ? {} : { column }),
  })
}

class RangeFacet {
  readonly open: readonly GroupCount[]

  constructor(search: Search, request: FacetRequest, ranges: NonNullable<FacetRequest['ranges']>) {
    const column = columnOf(search.words.place.slots, request.field)
    this.open = ranges.map((range) =>
      countOf(search, request, [rangeQuery(column, { ...range, highInclusive: false })]),
    )
  }

  counts(): GroupCounts {
    return { values: [], ranges: this.open.map(({ found }) => found) }
  }
}

class ValueFacet {
  readonly #listed: GroupCount | undefined
  readonly #values: readonly Scalar[]
  /** Integers that the cluster would round in a list, counted one by one. */
  readonly #single: ReadonlyMap<Scalar, GroupCount>

  constructor(search: Search, request: FacetRequest, values: readonly Scalar[]) {
    const column = columnOf(search.words.place.slots, request.field)
    this.#values = values
    const name = column.kind === 'text' ? column.raw : column.name
    const isRounded = values.some(
      (value) => typeof value === 'bigint' && !Number.isSafeInteger(Number(value)),
    )
    this.#listed = isRounded ? undefined : countOf(search, request, [], name)
    this.#single = new Map(
      (isRounded ? values : []).map((value) => {
        const equal = rangeQuery(column, { low: value as bigint, high: value as bigint })
        return [value, countOf(search, request, [equal])]
      }),
    )
  }

  get open(): readonly GroupCount[] {
    return [...(this.#listed === undefined ? [] : [this.#listed]), ...this.#single.values()]
  }

  counts(): GroupCounts {
    const countOf = (value: Scalar): number => {
      const key = typeof value === 'string' ? value : Number(value)
      return this.#single.get(value)?.found ?? this.#listed?.byValue.get(key) ?? 0
    }
    return { values: this.#values.map((value) => [value, countOf(value)] as const), ranges: [] }
  }
}
