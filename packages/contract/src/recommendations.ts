import type { Static } from 'typebox'
import { Type } from './type.ts'
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

/** Every parameter of a recommendation. The order is the order of the API reference. */
export const RecommendationParameters = Type.Object(
  {
    kind: Type.Enum([...RECOMMENDATION_KINDS], {
      description:
        'Products that go with `ids` (`related`, `bought_together`), that many want now (`trending`), that this visitor saw last (`recently_viewed`) or may want (`for_you`).',
    }),
    ids: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: DOCUMENT_ID_MAX_BYTES }), {
        maxItems: RECOMMENDATION_IDS_MAX,
        description:
          'Ids of the products that the page or the cart is about; they are not among the hits. `related` and `bought_together` require one.',
      }),
    ),
    per_page: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: RECOMMENDATIONS_MAX,
        default: RECOMMENDATIONS_DEFAULT,
        description: 'Hits at most.',
      }),
    ),
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
      description: 'The stored fields, as they were sent, and `id`.',
    }),
    source: Type.Enum([...RECOMMENDATION_SOURCES], {
      description:
        'Why it is there: visitors look at or buy it with `ids`; many want it (`trending`, `popular`); this visitor saw it; its words are those of `ids` (`similar`); it was written lately (`new`).',
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
    warnings: Type.Optional(Type.Array(Type.String())),
  },
  { $id: 'RecommendationsResponse' },
)
export type RecommendationsResponse = Static<typeof RecommendationsResponse>
