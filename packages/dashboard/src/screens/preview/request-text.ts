import { fieldExpression } from '../../format/quoting.ts'
import type { SearchParameters } from '@aisle/contract'
import type { Interval } from './facet-intervals.ts'
import { parameterValue, type GivenParameters } from '../../parts/parameter-text.ts'
import { PARAMETER_GROUPS } from '../../parts/parameters.ts'

/** The search in the address; malformed parts are dropped. */
export function givenParameters(address: URLSearchParams): GivenParameters {
  const given: GivenParameters = {}
  for (const { parameters } of PARAMETER_GROUPS) {
    for (const { name, control } of parameters) {
      const text = address.get(name)
      const value = text === null ? undefined : parameterValue(control, text)
      if (value !== undefined) given[name] = value
    }
  }
  return given
}

/**
 * The request of the preview: the defaults of a results page, and what was set.
 *
 * @param facetFields of the schema, in its order
 */
export function previewRequest(
  q: string,
  given: GivenParameters,
  facetFields: readonly FacetField[],
): SearchParameters {
  const shop = {
    per_page: PER_PAGE,
    ...(facetFields.length === 0
      ? {}
      : {
          facet_by: facetFields.slice(0, FACETS_MAX).map(facetExpression).join(','),
          facet_mode: 'disjunctive',
        }),
  }
  return { q: q === '' ? '*' : q, ...shop, ...given } as SearchParameters
}

export interface FacetField {
  readonly name: string
  readonly type: string
}

/** A date is counted by year: shorter intervals may be too many for products of all times. */
function facetExpression({ name, type }: FacetField): string {
  return isDate(type) ? intervalExpression(name, 'year') : fieldExpression(name)
}

export function isDate(type: string): boolean {
  return type === 'date' || type === 'date[]'
}

function intervalExpression(name: string, interval: Interval): string {
  return `${fieldExpression(name)}(interval:${interval})`
}

/** The facets of a request with another interval for a date. */
export function withInterval(facetBy: unknown, field: string, interval: Interval): string[] {
  const listed = Array.isArray(facetBy) ? facetBy.map(String) : partsOf(facetBy)
  const name = fieldExpression(field)
  const isOwn = (one: string): boolean =>
    [name, field].some((own) => one === own || one.startsWith(`${own}(`))
  const wanted = intervalExpression(field, interval)
  return listed.some(isOwn) ? listed.map((one) => (isOwn(one) ? wanted : one)) : [...listed, wanted]
}

/** A list with commas, of which those inside of parentheses belong to one part. */
function partsOf(text: unknown): string[] {
  if (typeof text !== 'string') return []
  const parts = ['']
  let depth = 0
  for (const char of text) {
    if ('([{'.includes(char)) depth++
    else if (')]}'.includes(char)) depth--
    if (char === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += char
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

const PER_PAGE = 24
/** Facets that are shown unless others are asked for. */
const FACETS_MAX = 8
