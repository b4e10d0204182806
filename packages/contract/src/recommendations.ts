import type { Static } from 'typebox'
import { Optional, Type } from './type.ts'
import {
  DOCUMENT_ID_MAX_BYTES,
  RECOMMENDATION_IDS_MAX,
  RECOMMENDATIONS_DEFAULT,
  RECOMMENDATIONS_MAX,
} from './limits.ts'
import { SearchParameters } from './search.ts'

export const RECOMMENDATION_KINDS = [
  'related',
  'bought_together',
  'trending',
  'recently_viewed',
  'for_you',
] as const

const { filter_by, filters, return_fields, omit_fields } = SearchParameters.properties

/** Parameters of a recommendation, in the order of the API reference. */
export const RecommendationParameters = Type.Object(
  {
    kind: Type.Enum([...RECOMMENDATION_KINDS], {
      description:
        'Products that go with `ids` (`related`, `bought_together`), that are in demand now (`trending`), that this visitor saw last (`recently_viewed`) or may like (`for_you`).',
    }),
    ids: Optional.Array(Type.String({ minLength: 1, maxLength: DOCUMENT_ID_MAX_BYTES }), {
      maxItems: RECOMMENDATION_IDS_MAX,
      description:
        'Ids of the products on the page or in the cart; they are excluded from the hits. Required for `related` and `bought_together`.',
    }),
    per_page: Optional.Integer({
      minimum: 0,
      maximum: RECOMMENDATIONS_MAX,
      default: RECOMMENDATIONS_DEFAULT,
      description: 'Maximum number of hits.',
    }),
    filter_by,
    filters,
    return_fields,
    omit_fields,
  },
  {
    $id: 'RecommendationParameters',
    description: 'Unknown parameters are ignored and named in `warnings`.',
  },
)
export type RecommendationParameters = Static<typeof RecommendationParameters>

export const RECOMMENDATION_SOURCES = [
  'viewed_together',
  'bought_together',
  'trending',
  'popular',
  'recently_viewed',
  'similar',
  'new',
] as const

export const RecommendedHit = Type.Object(
  {
    id: Type.String(),
    document: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The stored fields as sent, and `id`.',
    }),
    source: Type.Enum([...RECOMMENDATION_SOURCES], {
      description:
        'Why it is recommended: visitors view or buy it with `ids`; it is in demand (`trending`, `popular`); this visitor saw it; its words or its vector are like those of `ids` (`similar`); it was added recently (`new`).',
    }),
  },
  { $id: 'RecommendedHit' },
)
export type RecommendedHit = Static<typeof RecommendedHit>

export const RecommendationsResponse = Type.Object(
  {
    kind: Type.Enum([...RECOMMENDATION_KINDS]),
    hits: Type.Array(RecommendedHit, { description: 'Best first.' }),
    search_time_ms: Type.Number(),
    warnings: Optional.Array(Type.String()),
  },
  { $id: 'RecommendationsResponse' },
)
export type RecommendationsResponse = Static<typeof RecommendationsResponse>
