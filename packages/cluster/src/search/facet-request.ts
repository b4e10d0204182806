import { listValues, withoutField } from '@aisle/engine/rescoring'
import { elementType, valueAnalyzer } from '@aisle/engine'
import type {
  Analyzer,
  FacetInterval,
  FacetIntervals,
  FacetOutcome,
  FacetRequest,
  Scalar,
  Schema,
  SearchPlan,
} from '@aisle/engine'
import { columnOf, filterQuery, rangeQuery } from './filter-query.ts'
import type { Aggregated, Bucket, Query } from './product-searches.ts'
import { allOf } from './row-query.ts'
import type { SearchPlace } from './search-place.ts'

/** Maximum of values of a facet that the cluster counts; further values are unknown. */
export const VALUES_MAX = 5_000

/** The counts requested from the cluster, by facet of the plan. */
export function facetAggregations(
  place: SearchPlace,
  plan: SearchPlan,
  schema: Schema,
): Record<string, object> {
  const filter = plan.filter ?? { kind: 'and', nodes: [] }
  const entries = plan.facets.flatMap((request, i) =>
    Object.entries(aggregationsOf(place, request, schema)).map(([part, of]) => {
      // Otherwise the filter is in the query.
      if (!plan.disjunctiveFacets) return [`${part}${i}`, of]
      const own = filterQuery(place, withoutField(filter, request.field))
      return [`${part}${i}`, { filter: own, aggs: { of } }]
    }),
  )
  return Object.fromEntries(entries) as Record<string, object>
}

/** Aggregations by part: the values, the ranges, the statistics. */
function aggregationsOf(
  { slots }: SearchPlace,
  request: FacetRequest,
  schema: Schema,
): Record<string, object> {
  const column = columnOf(slots, request.field)
  const type = elementType(schema.fields[request.field]!.type)
  const stats = { stats: { field: column.name } }
  const hasStats = request.stats && type !== 'string' && type !== 'bool'
  // The intervals follow once the first and last date are known.
  if (request.intervals !== undefined) return { stats }
  const needsValues = request.ranges === undefined || (hasStats && type === 'int64')
  return {
    ...(needsValues ? { values: valuesOf(column, request) } : {}),
    ...(request.ranges === undefined ? {} : { ranges: rangesOf(column, request.ranges) }),
    ...(hasStats ? { stats } : {}),
  }
}

function valuesOf({ kind, name, raw }: ReturnType<typeof columnOf>, request: FacetRequest): object {
  const byKey = { _key: 'asc' }
  const order = request.order === 'count' ? [{ _count: 'desc' }, byKey] : [byKey]
  const terms = {
    field: kind === 'text' ? raw : name,
    size: Math.max(request.limit, VALUES_MAX),
    order,
  }
  // Formatted as a string, a long keeps all its digits.
  return { terms: kind === 'long' ? { ...terms, format: '0' } : terms }
}

function rangesOf(
  column: ReturnType<typeof columnOf>,
  ranges: NonNullable<FacetRequest['ranges']>,
): object {
  const filters = Object.fromEntries(
    ranges.map((range, i): [string, Query] => [
      String(i),
      allOf([rangeQuery(column, { ...range, highInclusive: false })]),
    ]),
  )
  return { filters: { filters } }
}

/** The intervals that may have documents, by facet of the plan. */
export type FacetSpans = ReadonlyMap<number, readonly FacetInterval[] | 'tooWide'>

/** The intervals from the first to the last date of each facet that counts them. */
export function facetSpans(
  aggregations: Readonly<Record<string, Aggregated>>,
  plan: SearchPlan,
): FacetSpans {
  const spans = new Map<number, readonly FacetInterval[] | 'tooWide'>()
  for (const [i, { intervals }] of plan.facets.entries()) {
    if (intervals === undefined) continue
    const aggregated = aggregations[`stats${i}`]
    const stats = statsIn(aggregated?.of ?? aggregated)
    if (stats === undefined) spans.set(i, [])
    else spans.set(i, intervalsBetween(intervals, stats.min as number, stats.max as number))
  }
  return spans
}

function intervalsBetween(
  of: FacetIntervals,
  first: number,
  last: number,
): FacetInterval[] | 'tooWide' {
  const { low } = of.intervalOf(first)
  if (of.intervalOf(last).low - low > of.spanMax) return 'tooWide'
  const all: FacetInterval[] = []
  for (let at = low; at <= last; at = all.at(-1)!.high) all.push(of.intervalOf(at))
  return all
}

/** Counts the documents in each interval, with one aggregation for each facet that has some. */
export function intervalAggregations(
  place: SearchPlace,
  plan: SearchPlan,
  spans: FacetSpans,
): Record<string, object>[] {
  const filter = plan.filter ?? { kind: 'and', nodes: [] }
  return [...spans].flatMap(([i, span]): Record<string, object>[] => {
    if (span === 'tooWide' || span.length === 0) return []
    const { field } = plan.facets[i]!
    const ranges = span.map(({ low, high }, key) => ({ key: String(key), from: low, to: high }))
    const of = { range: { field: columnOf(place.slots, field).name, ranges } }
    if (!plan.disjunctiveFacets) return [{ [`intervals${i}`]: of }]
    const own = filterQuery(place, withoutField(filter, field))
    return [{ [`intervals${i}`]: { filter: own, aggs: { of } } }]
  })
}

function intervalCounts(
  { order, limit }: FacetRequest,
  span: readonly FacetInterval[] | 'tooWide',
  aggregated: Aggregated | undefined,
): Pick<FacetOutcome, 'counts' | 'totalValues' | 'isTooWide'> {
  if (span === 'tooWide') return { counts: [], totalValues: 0, isTooWide: true }
  const buckets = (aggregated?.buckets ?? []) as readonly Bucket[]
  const all = buckets
    .filter((bucket) => bucket.doc_count > 0)
    .map((bucket) => ({ interval: span[Number(bucket.key)]!, count: bucket.doc_count }))
    .toSorted(
      (a, b) => (order === 'count' ? b.count - a.count : 0) || a.interval.low - b.interval.low,
    )
  const counts = all
    .slice(0, limit)
    .map(({ interval, count }) => ({ value: String(interval.low), count, interval }))
  return { counts, totalValues: all.length }
}

/** The facets of an answer, in the order of the plan. */
export function readFacets(
  aggregations: Readonly<Record<string, Aggregated>>,
  plan: SearchPlan,
  schema: Schema,
  analyzer: Analyzer,
  spans: FacetSpans,
  groupCounts: readonly GroupCounts[] = [],
): FacetOutcome[] {
  return plan.facets.map((request, i): FacetOutcome => {
    const ofGroups = groupCounts[i]
    const type = elementType(schema.fields[request.field]!.type)
    const of = (part: string) => {
      const aggregated = aggregations[`${part}${i}`]
      return aggregated?.of ?? aggregated
    }
    const span = spans.get(i)
    if (span !== undefined) {
      const stats = request.stats ? statsIn(of('stats')) : undefined
      const counted = intervalCounts(request, span, of('intervals'))
      return { field: request.field, ...counted, ...(stats === undefined ? {} : { stats }) }
    }
    const values = valuesIn(of('values'), type)
    const stats = type === 'int64' ? exactStats(of('stats'), values) : statsIn(of('stats'))
    const counts =
      request.ranges === undefined
        ? listValues(
            request,
            ofGroups?.values ?? values.counted,
            valueAnalyzer(analyzer, schema.fields[request.field]!),
          )
        : rangeCounts(request.ranges, of('ranges'), ofGroups?.ranges)
    return { field: request.field, ...counts, ...(stats === undefined ? {} : { stats }) }
  })
}

/** Counts of groups of one facet. */
export interface GroupCounts {
  readonly values: CountedValues['counted']
  /** Counts by range. */
  readonly ranges: readonly number[]
}

/** The values of a facet with the numbers of their documents. */
export function facetValues(
  aggregations: Readonly<Record<string, Aggregated>>,
  plan: SearchPlan,
  schema: Schema,
  facet: number,
): CountedValues['counted'] {
  const aggregated = aggregations[`values${facet}`]
  const type = elementType(schema.fields[plan.facets[facet]!.field]!.type)
  return valuesIn(aggregated?.of ?? aggregated, type).counted
}

interface CountedValues {
  readonly counted: readonly (readonly [Scalar, number])[]
  readonly areAll: boolean
}

function valuesIn(aggregated: Aggregated | undefined, type: string): CountedValues {
  const buckets = (aggregated?.buckets ?? []) as readonly Bucket[]
  const valueOf = ({ key, key_as_string }: Bucket): Scalar => {
    switch (type) {
      case 'string':
        return String(key)
      case 'bool':
        return Number(key) === 1
      case 'int64':
        return BigInt(key_as_string!)
      default:
        return Number(key)
    }
  }
  return {
    counted: buckets.map((bucket) => [valueOf(bucket), bucket.doc_count] as const),
    areAll: (aggregated?.sum_other_doc_count ?? 0) === 0,
  }
}

function rangeCounts(
  ranges: NonNullable<FacetRequest['ranges']>,
  aggregated: Aggregated | undefined,
  ofGroups: readonly number[] | undefined,
): Pick<FacetOutcome, 'counts' | 'totalValues'> {
  const buckets = (aggregated?.buckets ?? {}) as Readonly<Record<string, Bucket>>
  return {
    counts: ranges.map(({ name }, i) => ({
      value: name,
      count: ofGroups?.[i] ?? buckets[i]?.doc_count ?? 0,
    })),
    totalValues: ranges.length,
  }
}

function statsIn(stats: Aggregated | undefined): FacetOutcome['stats'] {
  if (stats === undefined || stats.count === 0) return undefined
  return { min: stats.min!, max: stats.max!, sum: stats.sum!, avg: stats.avg! }
}

/**
 * Statistics of int64 fields, exact to the last digit from the values; with too many values, the
 * cluster's, which are doubles.
 */
function exactStats(
  stats: Aggregated | undefined,
  { counted, areAll }: CountedValues,
): FacetOutcome['stats'] {
  if (stats === undefined || stats.count === 0) return undefined
  if (!areAll) {
    const { min, max, sum, avg } = stats as Required<Aggregated>
    return { min: BigInt(min), max: BigInt(max), sum: BigInt(Math.round(sum)), avg }
  }
  const values = counted.map(([value]) => value as bigint)
  const sum = counted.reduce((sum, [value, count]) => sum + (value as bigint) * BigInt(count), 0n)
  const least = values.reduce((a, b) => (a < b ? a : b))
  const most = values.reduce((a, b) => (a > b ? a : b))
  return { min: least, max: most, sum, avg: Number(sum) / stats.count! }
}
