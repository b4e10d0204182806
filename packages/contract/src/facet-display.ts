import type { Static } from 'typebox'
import { Optional, Type } from './type.ts'
import { FACET_VALUES_MAX, FIELD_NAME_MAX_CHARS } from './limits.ts'
import {
  FACET_DISPLAY_FACETS_MAX,
  FACET_DISPLAY_VALUE_MAX_CHARS,
  FACET_DISPLAY_VALUES_MAX,
} from './merchandising-limits.ts'

/** The order of the values of a facet that are not pinned; `pinned` shows none of them. */
export const FACET_DISPLAY_SORTS = ['count', 'alpha', 'pinned'] as const

const fieldName = Type.String({ minLength: 1, maxLength: FIELD_NAME_MAX_CHARS })
const fields = (description: string) =>
  Optional.Array(fieldName, { maxItems: FACET_DISPLAY_FACETS_MAX, description })
const values = (description: string) =>
  Optional.Array(Type.String({ minLength: 1, maxLength: FACET_DISPLAY_VALUE_MAX_CHARS }), {
    maxItems: FACET_DISPLAY_VALUES_MAX,
    description,
  })

/** How the values of one facet are shown. */
export const FacetValueDisplay = Type.Object(
  {
    sort: Optional.Enum([...FACET_DISPLAY_SORTS], {
      description:
        'Order of the values after the pinned ones: the most frequent first, alphabetical, or none of them. Default: as in the answer.',
    }),
    pin: values('Values shown first, in this order.'),
    hide: values('Values that are not shown.'),
    limit: Optional.Integer({
      minimum: 1,
      maximum: FACET_VALUES_MAX,
      description: 'Values shown, pinned ones included. Default: no limit.',
    }),
  },
  { $id: 'FacetValueDisplay', additionalProperties: false },
)
export type FacetValueDisplay = Static<typeof FacetValueDisplay>

const facets = Type.Record(fieldName, FacetValueDisplay, {
  maxProperties: FACET_DISPLAY_FACETS_MAX,
  description: 'By field: how its values are shown.',
})

/** How facets and their values are shown: a setting, and an action of rules. */
export const FacetDisplay = Type.Object(
  {
    order: fields('Facets shown first, in this order. The others follow as requested.'),
    hide: fields('Facets that are not shown.'),
    facets: Type.Optional(facets),
  },
  {
    $id: 'FacetDisplay',
    additionalProperties: false,
    description:
      'How pages show the facets of an answer, returned as `facet_display`. Counts do not change. docs/facet-display.md.',
  },
)
export type FacetDisplay = Static<typeof FacetDisplay>

/** What holds for the facets of one answer. */
export const ShownFacets = Type.Object(
  {
    order: Type.Array(Type.String(), {
      description: 'The facets of this answer to show, in order.',
    }),
    facets: Type.Record(Type.String(), FacetValueDisplay, {
      description: 'By field: how its values are shown. Others are shown as they are.',
    }),
  },
  {
    $id: 'ShownFacets',
    description:
      'How to show the facets of this answer, by the setting `facet_display` and by rules; absent if neither has it.',
  },
)
export type ShownFacets = Static<typeof ShownFacets>
