import {
  FACET_DISPLAY_FACETS_MAX,
  FACET_DISPLAY_VALUE_MAX_CHARS,
  FACET_DISPLAY_VALUES_MAX,
} from '@aisle/contract/merchandising-limits'
import { objectOf, textsOf, type Json } from './json.ts'

/** Says why an order of facets is not there. */
export const NO_FACET = '(facetOrdering) is left out: it orders nothing that is a facet'

/**
 * `renderingContent.facetOrdering` as `facet_display`.
 *
 * @param facetOf the facet of an attribute; undefined: it has none
 * @returns undefined if it orders nothing that is a facet here
 */
export function facetDisplayOf(
  renderingContent: unknown,
  facetOf: (attribute: string) => string | undefined,
): Json | undefined {
  const { facets, values } = objectOf(objectOf(renderingContent)['facetOrdering'])
  const named = (attributes: unknown): string[] =>
    unique(textsOf(attributes).flatMap((one) => facetOf(one) ?? []))
  const order = named(objectOf(facets)['order']).slice(0, FACET_DISPLAY_FACETS_MAX)
  const hidden = named(objectOf(facets)['hide']).filter((one) => !order.includes(one))
  const shown = Object.entries(objectOf(values)).flatMap(([attribute, value]) => {
    const field = facetOf(attribute)
    return field === undefined ? [] : [[field, valuesOf(objectOf(value))] as const]
  })
  const display = {
    ...(order.length === 0 ? {} : { order }),
    ...(hidden.length === 0 ? {} : { hide: hidden.slice(0, FACET_DISPLAY_FACETS_MAX) }),
    ...(shown.length === 0 ? {} : { facets: Object.fromEntries(shown) }),
  }
  return Object.keys(display).length === 0 ? undefined : display
}

function valuesOf({ order, sortRemainingBy: rest, hide }: Json): Json {
  const pin = kept(textsOf(order))
  const hidden = kept(textsOf(hide).filter((one) => !pin.includes(one)))
  const sort = rest === 'hidden' ? 'pinned' : rest
  const isSort = sort === 'count' || sort === 'alpha' || (sort === 'pinned' && pin.length > 0)
  return {
    ...(isSort ? { sort } : {}),
    ...(pin.length === 0 ? {} : { pin }),
    ...(hidden.length === 0 ? {} : { hide: hidden }),
  }
}

function kept(values: readonly string[]): string[] {
  const fitting = values.filter((one) => one !== '' && one.length <= FACET_DISPLAY_VALUE_MAX_CHARS)
  return unique(fitting).slice(0, FACET_DISPLAY_VALUES_MAX)
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)]
}
