import type { Analyzer } from '../analysis/analyzer.ts'
import { begunLength } from '../analysis/hangul.ts'
import { valueAnalyzer } from '../analysis/field-analyzer.ts'
import type { FacetIntervals, FacetOutcome, FacetRequest, FacetWord } from '../query/plan.ts'
import { type Field, type Scalar, elementType, fieldValue } from '../schema/schema.ts'
import { compareCodePoints } from '../codec/code-points.ts'
import { FACET_BEGUN_MISTAKES, looksBegun } from '../scoring/corrections.ts'
import { editDistance } from './edit-distance.ts'
import { type CandidateDocument, distinctElements, textOf } from './candidate-document.ts'
import { formsIn, isInRange } from './filter.ts'

/**
 * Counts the values of a facet over documents. A value that repeats in one document counts once; by
 * groups, one that repeats in one group.
 *
 * @param groupOf returns equal values for documents of the same group; absent: counts documents
 */
export function countFacet(
  request: FacetRequest,
  field: Field,
  documents: readonly CandidateDocument[],
  analyzer: Analyzer,
  groupOf?: (document: CandidateDocument) => unknown,
): FacetOutcome {
  const elements = documents.map((document) =>
    distinctElements(fieldValue(document.values, request.field)),
  )
  const stats = request.stats ? computeStats(elements.flat(), field) : undefined
  const counted =
    groupOf === undefined
      ? elements
      : [...Map.groupBy(documents, groupOf).values()].map((group) => [
          ...new Set(
            group.flatMap(({ values }) => distinctElements(fieldValue(values, request.field))),
          ),
        ])
  return {
    field: request.field,
    ...(request.intervals !== undefined
      ? countIntervals(request, request.intervals, elements as number[][])
      : request.ranges === undefined
        ? countValues(request, counted, valueAnalyzer(analyzer, field))
        : countRanges(request.ranges, counted)),
    ...(stats === undefined ? {} : { stats }),
  }
}

type Counts = Pick<FacetOutcome, 'counts' | 'totalValues' | 'isTooWide'>

/** @param elements by document or group */
function countValues(
  request: FacetRequest,
  elements: readonly (readonly Scalar[])[],
  analyzer: Analyzer,
): Counts {
  const byValue = new Map<Scalar, number>()
  for (const value of elements.flat()) byValue.set(value, (byValue.get(value) ?? 0) + 1)
  return listValues(request, [...byValue], analyzer)
}

/** @param counted each value with its number of documents */
export function listValues(
  request: FacetRequest,
  counted: readonly (readonly [Scalar, number])[],
  analyzer: Analyzer,
): Counts {
  const { query = [] } = request
  const fitting =
    query.length === 0 ? counted : nearest(counted, ([value]) => mistakesIn(value, query, analyzer))
  const entries = fitting.toSorted(([a, countA], [b, countB]) => {
    const byCount = request.order === 'count' ? countB - countA : 0
    return byCount || compareValues(a, b)
  })
  return {
    counts: entries
      .slice(0, request.limit)
      .map(([value, count]) => ({ value: textOf(value), count })),
    totalValues: entries.length,
  }
}

/** The number of documents with a value in each requested range, also for ranges without any. */
function countRanges(
  ranges: NonNullable<FacetRequest['ranges']>,
  elements: readonly (readonly Scalar[])[],
): Counts {
  return {
    counts: ranges.map((range) => ({
      value: range.name,
      count: elements.filter((values) =>
        values.some((value) => isInRange(value, { ...range, highInclusive: false })),
      ).length,
    })),
    totalValues: ranges.length,
  }
}

/** The number of documents with a value in each interval, without empty intervals. */
function countIntervals(
  { order, limit }: FacetRequest,
  of: FacetIntervals,
  elements: readonly (readonly number[])[],
): Counts {
  const intervals = new Map(
    elements.flat().map((value) => [of.intervalOf(value).low, of.intervalOf(value)] as const),
  )
  const lows = [...intervals.keys()]
  if (Math.max(...lows) - Math.min(...lows) > of.spanMax) {
    return { counts: [], totalValues: 0, isTooWide: true }
  }
  const counted = [...intervals.values()].map((interval) => ({
    value: String(interval.low),
    count: elements.filter((values) =>
      values.some((value) => value >= interval.low && value < interval.high),
    ).length,
    interval,
  }))
  const counts = counted
    .toSorted(
      (a, b) => (order === 'count' ? b.count - a.count : 0) || a.interval.low - b.interval.low,
    )
    .slice(0, limit)
  return { counts, totalValues: lows.length }
}

/** The items with the fewest edits. */
function nearest<T>(items: readonly T[], mistakesOf: (item: T) => number): T[] {
  const mistakes = items.map(mistakesOf)
  const fewest = Math.min(...mistakes)
  return items.filter((_, i) => fewest < Infinity && mistakes[i] === fewest)
}

/** "Facet query" in docs/ranking.md. The last word is still being typed. */
function mistakesIn(value: Scalar, query: readonly FacetWord[], analyzer: Analyzer): number {
  const forms = formsIn(value, analyzer)
  return query.reduce((sum, word, i) => {
    const isLast = i === query.length - 1
    return sum + Math.min(...forms.map((form) => mistakesOf(word, form, isLast)), Infinity)
  }, 0)
}

function mistakesOf({ form: typed, edits }: FacetWord, form: string, isLast: boolean): number {
  if (form === typed || (isLast && begunLength(form, typed) >= 0)) return 0
  const distance = editDistance(typed, form)
  if (distance <= edits) return distance
  const letters = [...form]
  const beginnings = isLast ? letters.map((_, i) => letters.slice(0, i + 1).join('')) : []
  const distances = beginnings
    .filter((beginning) => looksBegun(typed, beginning))
    .map((beginning) => editDistance(typed, beginning))
    .filter((distance) => distance <= edits)
  return FACET_BEGUN_MISTAKES + Math.min(...distances, Infinity)
}

/** Values of one field: numbers by size, false before true, strings by code point. */
function compareValues(a: Scalar, b: Scalar): number {
  if (typeof a === 'string') return compareCodePoints(a, textOf(b))
  return a < b ? -1 : a > b ? 1 : 0
}

function computeStats(elements: readonly Scalar[], field: Field): FacetOutcome['stats'] {
  if (elements.length === 0) return undefined
  switch (elementType(field.type)) {
    case 'string':
    case 'bool':
    case 'geopoint':
    case 'vector':
      return undefined
    case 'int64': {
      const values = elements as readonly bigint[]
      const sum = values.reduce((total, value) => total + value, 0n)
      return { ...extremes(values), sum, avg: Number(sum) / values.length }
    }
    case 'int32':
    case 'float':
    case 'date': {
      const values = elements as readonly number[]
      const sum = values.reduce((total, value) => total + value, 0)
      return { ...extremes(values), sum, avg: sum / values.length }
    }
  }
}

function extremes<T extends number | bigint>(values: readonly T[]): { min: T; max: T } {
  let min = values[0]!
  let max = min
  for (const value of values) {
    if (value < min) min = value
    if (value > max) max = value
  }
  return { min, max }
}
