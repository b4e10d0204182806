import { fieldExpression } from '../../parts/field-expression.ts'
import type { SearchParameters } from '@aisle/contract'
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
  facetFields: readonly string[],
): SearchParameters {
  const shop = {
    per_page: PER_PAGE,
    ...(facetFields.length === 0
      ? {}
      : {
          facet_by: facetFields.slice(0, FACETS_MAX).map(fieldExpression).join(','),
          facet_mode: 'disjunctive',
        }),
  }
  return { q: q === '' ? '*' : q, ...shop, ...given } as SearchParameters
}

const PER_PAGE = 24
/** Facets that are shown unless others are asked for. */
const FACETS_MAX = 8
