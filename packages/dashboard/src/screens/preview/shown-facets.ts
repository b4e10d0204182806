import { arrangedValues } from '@aisle/client'
import type { FacetMap, SearchResponse } from '@aisle/contract'
import { ownValue } from '../../format/own-value.ts'

/** The facets of an answer as a shop shows them: as its `facet_display` says, if it has one. */
export function shownFacets(facets: FacetMap, display: SearchResponse['facet_display']): FacetMap {
  if (display === undefined) return facets
  return Object.fromEntries(
    display.order.flatMap((field) => {
      const facet = ownValue(facets, field)
      if (facet === undefined) return []
      const values = ownValue(display.facets, field)
      return [[field, Array.isArray(facet) ? arrangedValues(facet, values) : facet]]
    }),
  )
}
