import { spanWords, type TimeSpan } from './facet-intervals.ts'
import { ownValue } from '../../format/own-value.ts'

/** The object `filters` of a search, as the facets of the page set it. */
export type Filters = Readonly<Record<string, unknown>>

export interface NumberRange {
  readonly min?: number
  readonly max?: number
}

/** Values of a field that are chosen. */
export function chosenValues(filters: Filters, field: string): readonly string[] {
  const own = ownValue(filters, field)
  if (Array.isArray(own)) return own.filter((one) => typeof one !== 'object').map(String)
  return typeof own === 'string' || typeof own === 'number' || typeof own === 'boolean'
    ? [String(own)]
    : []
}

export function chosenRange(filters: Filters, field: string): NumberRange {
  const own = ownValue(filters, field)
  return typeof own === 'object' && own !== null && !Array.isArray(own) ? own : {}
}

/** @returns undefined if no filter is left */
export function withValue(filters: Filters, field: string, value: string): Filters | undefined {
  const before = chosenValues(filters, field)
  const after = before.includes(value) ? before.filter((one) => one !== value) : [...before, value]
  return withFilter(filters, field, after.length === 0 ? undefined : after)
}

/** Times of a date that are chosen. */
export function chosenSpans(filters: Filters, field: string): readonly TimeSpan[] {
  const own = ownValue(filters, field)
  return (Array.isArray(own) ? (own as unknown[]) : []).flatMap((one) => {
    const { gte, lt } = (typeof one === 'object' && one !== null ? one : {}) as Filters
    return typeof gte === 'string' && typeof lt === 'string' ? [{ from: gte, to: lt }] : []
  })
}

/** @returns undefined if no filter is left */
export function withSpan(filters: Filters, field: string, span: TimeSpan): Filters | undefined {
  const before = chosenSpans(filters, field)
  const others = before.filter(({ from, to }) => from !== span.from || to !== span.to)
  const after = others.length < before.length ? others : [...before, span]
  const ranges = after.map(({ from, to }) => ({ gte: from, lt: to }))
  return withFilter(filters, field, ranges.length === 0 ? undefined : ranges)
}

export function withRange(
  filters: Filters,
  field: string,
  { min, max }: NumberRange,
): Filters | undefined {
  const range = { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) }
  return withFilter(filters, field, Object.keys(range).length === 0 ? undefined : range)
}

function withFilter(filters: Filters, field: string, value: unknown): Filters | undefined {
  const others = Object.entries(filters).filter(([name]) => name !== field)
  const after = value === undefined ? others : [...others, [field, value] as const]
  return after.length === 0 ? undefined : Object.fromEntries(after)
}

/** Each condition in words, with an action that removes it. */
export function appliedFilters(
  filters: Filters,
): { readonly text: string; readonly without: () => Filters | undefined }[] {
  return Object.keys(filters).flatMap((field) => {
    const values = chosenValues(filters, field)
    if (values.length > 0) {
      return values.map((value) => ({
        text: `${field}: ${value}`,
        without: () => withValue(filters, field, value),
      }))
    }
    const spans = chosenSpans(filters, field)
    if (spans.length > 0) {
      return spans.map((span) => ({
        text: `${field}: ${spanWords(span)}`,
        without: () => withSpan(filters, field, span),
      }))
    }
    const conditions = Object.entries(chosenRange(filters, field) as Record<string, unknown>)
    const words = conditions.map(
      ([name, value]) => `${ownValue(RANGE_WORDS, name) ?? name} ${String(value)}`,
    )
    return [
      {
        text: `${field}: ${words.join(', ')}`,
        without: () => withFilter(filters, field, undefined),
      },
    ]
  })
}

const RANGE_WORDS: Readonly<Record<string, string>> = { min: 'from', max: 'to' }
