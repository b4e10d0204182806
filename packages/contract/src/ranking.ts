import type { Static } from 'typebox'
import { FIELD_NAME_MAX_CHARS, LEARNING_LIMIT_DEFAULT } from './limits.ts'
import {
  PERSONALIZE_FIELDS_MAX,
  PERSONALIZE_LIMIT_DEFAULT,
  PERSONALIZE_LIMIT_MAX,
} from './personalize-limits.ts'
import { SearchParameters } from './search.ts'
import { Optional, Type } from './type.ts'

/** Characters of a time in a setting. */
const TIME_MAX_CHARS = 64
const fieldName = Type.String({ minLength: 1, maxLength: FIELD_NAME_MAX_CHARS })

/** Parameters of a search for which a store may set its default. */
export const RANKING_PARAMETERS = [
  'field_weights',
  'sort_by',
  'min_relevance',
  'typo_max',
  'typo_min_len_1',
  'typo_min_len_2',
  'typo_numbers',
  'prefix_mode',
  'infix_mode',
  'require_all_terms',
  'exact_match_boost',
] as const

export const NumericRanking = Type.Object(
  {
    field: fieldName,
    weight: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'It raises the points of a document by at most this share.',
    }),
    shape: Type.Enum(['linear', 'log', 'decay'], {
      description:
        '`linear`: in proportion to the number, in full from `scale` on. `log`: the same for orders of magnitude, such as sales. `decay`: in full at `origin`, half of it at a distance of `scale`.',
    }),
    scale: Type.Union(
      [Type.Number({ exclusiveMinimum: 0 }), Type.String({ pattern: '^[1-9][0-9]{0,5}[smhdw]$' })],
      { description: 'A number above 0; for a date, seconds or a text such as `30d`.' },
    ),
    origin: Optional.Union([Type.Number(), Type.String({ maxLength: TIME_MAX_CHARS })], {
      description:
        'Only with `decay`, and required there: a number; for a date, an ISO 8601 time, seconds since 1970 or `now`.',
    }),
  },
  {
    additionalProperties: false,
    description:
      'Your own number that multiplies the points of a document by 1 to 1 + `weight`: margin, rating, sales, a date. Its field is a facet or sortable, with a single number or date per document. docs/settings.md.',
  },
)
export type NumericRanking = Static<typeof NumericRanking>

export const Personalize = Type.Object(
  {
    limit: Optional.Number({
      exclusiveMinimum: 0,
      maximum: PERSONALIZE_LIMIT_MAX,
      default: PERSONALIZE_LIMIT_DEFAULT,
      description: 'The taste of a visitor raises the points of a document by at most this share.',
    }),
    fields: Optional.Array(fieldName, {
      minItems: 1,
      maxItems: PERSONALIZE_FIELDS_MAX,
      description:
        'Fields that a visitor may have a taste in: facets of type string, and at most one single number, the price. Default: brand, category and price of the product card, and fields named like a size.',
    }),
  },
  {
    additionalProperties: false,
    description:
      'Personal results: brands, categories, sizes and prices that a visitor lately looked at, bought and searched for rank higher. For visitors that a header names. `null` turns them off. docs/personal-results.md.',
  },
)
export type Personalize = Static<typeof Personalize>

export const Ranking = Type.Object(
  {
    ...Type.Pick(SearchParameters, [...RANKING_PARAMETERS]).properties,
    popularity_weight: Optional.Number({
      minimum: 0,
      maximum: 1,
      default: 0,
      description:
        'Weight of clicks and purchases: they raise the points of a document by at most this share, and `_popularity` breaks ties. 0: no effect.',
    }),
    learning: Optional.Enum(['off', 'on'], {
      default: 'off',
      description:
        '`on`: documents that visitors choose for a query more often than their place explains get more points for it. docs/learning.md.',
    }),
    learning_limit: Optional.Number({
      minimum: 0,
      maximum: 1,
      default: LEARNING_LIMIT_DEFAULT,
      description: 'Learning raises the points of a document by at most this share.',
    }),
    numeric: Type.Optional(NumericRanking),
    personalize: Type.Optional(Personalize),
    accessories: Optional.Enum(['off', 'down'], {
      default: 'off',
      description:
        '`down`: a query word counts more before the first `for`, `with`, `compatible` or `fits` of a title (or its equivalent in the language of the store) than after it, so that phones rank above cases for phones. `off`: no difference.',
    }),
  },
  {
    additionalProperties: false,
    description: 'For searches that do not set it, directly or by a preset.',
  },
)
export type Ranking = Static<typeof Ranking>
