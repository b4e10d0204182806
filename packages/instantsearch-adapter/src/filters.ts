import { translated } from './algolia-filters.ts'
import type { AlgoliaParameters } from './algolia-types.ts'
import type { Condition } from './refusals.ts'

/** Whether a store has a field. */
export type HasField = (field: string) => boolean

/** Matches no document. */
export const NOTHING = '(id:=`a` && id:=`b`)'

/**
 * Translates all filters of a query to expressions of docs/filters.md; `filters` may be one. A
 * filter by a field that the store lacks matches nothing.
 *
 * @throws Error if a numeric filter has no operator
 */
export function conditionsOf(
  params: AlgoliaParameters,
  hasField: HasField = () => true,
): Condition[] {
  const { filters, facetFilters, numericFilters } = params
  const isGiven = typeof filters === 'string' && filters.trim() !== ''
  return [
    { from: 'filters', expression: isGiven ? `(${translated(filters)})` : '' },
    ...listOf(facetFilters).map((one) => ({
      from: `facetFilters "${String(one)}"`,
      expression: anyFacet(listOf(one).map(text).map(facetFilter), hasField),
    })),
    ...listOf(numericFilters).map((one) => ({
      from: `numericFilters "${String(one)}"`,
      expression: anyNumber(listOf(one).map(text).map(numericFilter), hasField),
    })),
  ].filter(({ expression }) => expression !== '')
}

/** All conditions as one expression; empty: everything. */
export function allOf(conditions: readonly Condition[]): string {
  return conditions.map(({ expression }) => expression).join(' && ')
}

/** Fields that the filters name, except those in `filters`. */
export function filteredFields({ facetFilters, numericFilters }: AlgoliaParameters): string[] {
  const all = (filters: unknown): string[] => listOf(filters).flatMap(listOf).map(text)
  return [...all(facetFilters).map(facetFilter), ...all(numericFilters).map(numericFilter)].map(
    ({ field }) => field,
  )
}

/** Quotes a name or value, so that all its characters are literal. */
export function quoted(literal: string): string {
  return `\`${literal.replace(/[\\`]/g, '\\$&')}\``
}

/** A list as it is, a single value as a list; absent: an empty list. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null || value === '') return []
  return Array.isArray(value) ? value : [value]
}

interface FacetFilter {
  readonly field: string
  readonly value: string
  readonly isExcluded: boolean
}

interface NumericFilter {
  readonly field: string
  /** Operator and operand. */
  readonly test: string
}

/**
 * Matches any of these alternatives. Values of one field become one condition, because the service
 * limits the number of clauses.
 */
function anyFacet(filters: readonly FacetFilter[], hasField: HasField): string {
  if (filters.length === 0) return ''
  const wanted = new Map<string, string[]>()
  const others: string[] = []
  for (const { field, value, isExcluded } of filters) {
    if (isExcluded && !hasField(field)) return ''
    if (isExcluded) others.push(`${quoted(field)}:!=${quoted(value)}`)
    else if (hasField(field)) wanted.set(field, [...(wanted.get(field) ?? []), value])
  }
  const lists = Array.from(wanted, ([field, values]) =>
    values.length === 1
      ? `${quoted(field)}:=${quoted(values[0]!)}`
      : `${quoted(field)}:=[${values.map(quoted).join(',')}]`,
  )
  return either([...lists, ...others])
}

function anyNumber(filters: readonly NumericFilter[], hasField: HasField): string {
  if (filters.length === 0) return ''
  const known = filters.filter(({ field }) => hasField(field))
  return either(known.map(({ field, test }) => `${quoted(field)}:${test}`))
}

/** `brand:Acme`, `brand:-Acme` (not this one), `brand:\-5` (a value that begins with a minus). */
function facetFilter(filter: string): FacetFilter {
  const colon = filter.indexOf(':')
  if (colon < 0) throw new Error(`Facet filter "${filter}": expected field:value`)
  const value = filter.slice(colon + 1)
  const isExcluded = value.startsWith('-')
  return {
    field: filter.slice(0, colon),
    value: isExcluded || value.startsWith('\\-') ? value.slice(1) : value,
    isExcluded,
  }
}

/** `price>=10`, `price = 5`, `price:10 TO 20`. */
function numericFilter(filter: string): NumericFilter {
  const at = filter.search(/[<>=!]/)
  if (at > 0) {
    const length = filter[at + 1] === '=' ? 2 : 1
    const operand = filter.slice(at + length).trim()
    return { field: filter.slice(0, at).trim(), test: filter.slice(at, at + length) + operand }
  }
  const colon = filter.indexOf(':')
  if (colon < 0) {
    throw new Error(`Numeric filter "${filter}": expected an operator, such as price>=10`)
  }
  const [low = '', high] = filter.slice(colon + 1).split(' TO ')
  const operand = high === undefined ? low.trim() : `[${low.trim()}..${high.trim()}]`
  return { field: filter.slice(0, colon).trim(), test: `=${operand}` }
}

function either(conditions: readonly string[]): string {
  if (conditions.length === 0) return NOTHING
  return conditions.length > 1 ? `(${conditions.join(' || ')})` : conditions[0]!
}

function text(value: unknown): string {
  return String(value)
}
