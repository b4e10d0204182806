import type { Static } from 'typebox'
import { Optional, Type } from './type.ts'
import {
  ANALYTICS_TAG_MAX_CHARS,
  ANALYTICS_TAGS_MAX,
  FIELD_LIST_MAX,
  FILTERED_TAB_LABEL_MAX_CHARS,
  FILTERED_TABS_MAX,
  PINNED_SUGGESTIONS_MAX,
  QUERY_LENGTH_MAX_CHARS,
  SUGGESTED_CATEGORIES_MAX,
  SUGGESTED_FACETS_MAX,
  SUGGESTED_GROUPS_DEFAULT,
  SUGGESTED_QUERY_MAX_CHARS,
  SUGGESTION_LIST_MAX,
  SUGGESTION_NETWORKS_MAX,
  SUGGESTION_VISITORS_MAX,
  SUGGESTION_PAGE_MAX,
  SUGGESTIONS_PER_PAGE_DEFAULT,
  SUGGESTIONS_PER_PAGE_MAX,
  TAB_PRODUCTS_DEFAULT,
  TAB_PRODUCTS_MAX,
} from './limits.ts'

export const SUGGESTION_TIME_RANGES = ['7d', '30d', '90d'] as const

const flag = (value: boolean, description: string) =>
  Optional.Boolean({ default: value, description })
const bounded = (value: number, maximum: number, description: string) =>
  Optional.Integer({ minimum: 0, maximum, default: value, description })
const typed = (description: string) =>
  Optional.String({ maxLength: QUERY_LENGTH_MAX_CHARS, default: '', description })

export const FilteredTab = Type.Object(
  {
    id: Optional.String({
      maxLength: FILTERED_TAB_LABEL_MAX_CHARS,
      description: 'Default: the label.',
    }),
    label: Type.String({ minLength: 1, maxLength: FILTERED_TAB_LABEL_MAX_CHARS }),
    enabled: flag(true, 'Disabled tabs are left out.'),
    limit: bounded(
      TAB_PRODUCTS_DEFAULT,
      TAB_PRODUCTS_MAX,
      'Maximum number of products in the tab.',
    ),
    filters: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        maxProperties: FIELD_LIST_MAX,
        description: 'Value by field, like `filters` of a search.',
      }),
    ),
  },
  { $id: 'FilteredTab' },
)
export type FilteredTab = Static<typeof FilteredTab>

/** Parameters of the suggestions, in the order of the API reference. */
export const SuggestionParameters = Type.Object(
  {
    q: typed('The text being typed.'),
    query: typed('Alias of `q`.'),
    hitsPerPage: bounded(
      SUGGESTIONS_PER_PAGE_DEFAULT,
      SUGGESTIONS_PER_PAGE_MAX,
      'Suggestions per page, up to `max_suggestions` of the configuration.',
    ),
    page: bounded(0, SUGGESTION_PAGE_MAX, 'Page, from 0.'),
    include_categories: flag(false, 'Adds the categories of the products found.'),
    include_facets: flag(false, 'Adds the most common facet values of the products found.'),
    include_dropdown_recommendations: flag(false, 'Adds recommended products.'),
    include_dropdown_product_list: flag(true, 'Adds products that match.'),
    include_filtered_tabs: flag(true, 'Returns `filtered_tabs`, if configured.'),
    include_empty_query_recommendations: flag(
      false,
      'Answers an empty query with the most popular searches.',
    ),
    max_categories: bounded(
      SUGGESTED_GROUPS_DEFAULT,
      SUGGESTED_CATEGORIES_MAX,
      'Maximum number of categories, up to the limit of the configuration.',
    ),
    max_facets: bounded(
      SUGGESTED_GROUPS_DEFAULT,
      SUGGESTED_FACETS_MAX,
      'Maximum number of facet fields, up to the limit of the configuration.',
    ),
    min_popularity: bounded(0, Number.MAX_SAFE_INTEGER, 'Minimum popularity.'),
    time_range: Optional.Enum([...SUGGESTION_TIME_RANGES], {
      default: '30d',
      description: 'The searches that popularity counts.',
    }),
    disable_typo_tolerance: flag(false, 'Only suggestions that begin with what was typed.'),
    analytics_tags: Optional.Array(
      Type.String({ minLength: 1, maxLength: ANALYTICS_TAG_MAX_CHARS }),
      {
        maxItems: ANALYTICS_TAGS_MAX,
        description: 'Only searches with these tags.',
      },
    ),
    tags_match_mode: Optional.Enum(['any', 'all'], {
      default: 'any',
      description: '`any`: searches with one of the tags count; `all`: those with every one.',
    }),
    filtered_tabs: Optional.Array(FilteredTab, {
      maxItems: FILTERED_TABS_MAX,
      description: 'Groups of products. With any, the response is `{results}`.',
    }),
  },
  {
    $id: 'SuggestionParameters',
    description:
      'Parameters of the suggestions, each also accepted in the other spelling (`hits_per_page`, `includeCategories`). Unknown ones are ignored and named in `warnings`.',
  },
)
export type SuggestionParameters = Static<typeof SuggestionParameters>

const text = Type.String({ minLength: 1, maxLength: SUGGESTED_QUERY_MAX_CHARS })
const textList = (description: string) =>
  Optional.Array(text, { maxItems: SUGGESTION_LIST_MAX, description })

export const PinnedSuggestion = Type.Object(
  {
    query: text,
    popularity: Type.Integer({ minimum: 0, maximum: 1_000_000_000 }),
  },
  { additionalProperties: false },
)

/** Configuration as given; absent members have their defaults. */
export const GivenSuggestionsConfig = Type.Object(
  {
    max_suggestions: bounded(
      SUGGESTIONS_PER_PAGE_MAX,
      SUGGESTIONS_PER_PAGE_MAX,
      'Maximum number of suggestions per page.',
    ),
    max_categories: bounded(
      SUGGESTED_CATEGORIES_MAX,
      SUGGESTED_CATEGORIES_MAX,
      'Maximum number of categories.',
    ),
    max_facets: bounded(
      SUGGESTED_FACETS_MAX,
      SUGGESTED_FACETS_MAX,
      'Maximum number of facet fields.',
    ),
    supported_time_ranges: Optional.Array(Type.Enum([...SUGGESTION_TIME_RANGES]), {
      minItems: 1,
      maxItems: SUGGESTION_TIME_RANGES.length,
      description: 'Allowed values of `time_range`.',
    }),
    personalization_enabled: flag(
      true,
      'Personalize suggestions for the visitor in the identity headers.',
    ),
    typo_tolerance_enabled: flag(true, 'Tolerate typos.'),
    min_query_length: bounded(1, SUGGESTED_QUERY_MAX_CHARS, 'Minimum length of the text.'),
    blocklist: textList('Never suggests queries that contain these words side by side.'),
    allowlist: textList('If not empty, only these queries of visitors are suggested.'),
    pinned: Optional.Array(PinnedSuggestion, {
      maxItems: PINNED_SUGGESTIONS_MAX,
      description: 'Always suggested, with this popularity.',
    }),
    min_sessions: Optional.Integer({
      minimum: 1,
      maximum: SUGGESTION_VISITORS_MAX,
      default: 1,
      description: 'Minimum number of distinct visitors for a query in the time range.',
    }),
    min_networks: Optional.Integer({
      minimum: 1,
      maximum: SUGGESTION_NETWORKS_MAX,
      default: 1,
      description: 'Minimum number of distinct networks of these visitors.',
    }),
  },
  { $id: 'GivenSuggestionsConfig', additionalProperties: false },
)
export type GivenSuggestionsConfig = Static<typeof GivenSuggestionsConfig>

const PUBLIC_MEMBERS = [
  'max_suggestions',
  'max_categories',
  'max_facets',
  'supported_time_ranges',
  'personalization_enabled',
  'typo_tolerance_enabled',
  'min_query_length',
] as const

/** The configuration in force, with all members. */
export const StoreSuggestionsConfig = Type.Object(
  Type.Required(GivenSuggestionsConfig).properties,
  { $id: 'StoreSuggestionsConfig' },
)
export type StoreSuggestionsConfig = Required<GivenSuggestionsConfig>

/** The public part of the configuration. */
export const SuggestionsConfig = Type.Object(
  Type.Pick(Type.Required(GivenSuggestionsConfig), [...PUBLIC_MEMBERS]).properties,
  { $id: 'SuggestionsConfig' },
)
export type SuggestionsConfig = Pick<StoreSuggestionsConfig, (typeof PUBLIC_MEMBERS)[number]>

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])

/** A product card; all lists use it. */
export const ProductCard = Type.Object(
  {
    id: Type.String(),
    title: orNull(Type.String()),
    url: orNull(Type.String()),
    image: orNull(Type.String()),
    price: Type.Unknown({ description: 'A number or a string, as stored; null if none.' }),
    currency: orNull(Type.String()),
    metadata: Type.Record(Type.String(), Type.Unknown()),
    reason: Type.Enum(['matches', 'popular', 'trending', 'recent', 'personalized'], {
      description:
        'Why it is shown: it `matches` what was typed; visitors often click or buy it (`popular`), or more than before (`trending`); it was added recently (`recent`); it fits earlier searches of this visitor (`personalized`).',
    }),
  },
  { $id: 'ProductCard' },
)
export type ProductCard = Static<typeof ProductCard>

const QueryPopularity = Type.Object(
  { query: Type.String(), popularity: Type.Integer() },
  { $id: 'QueryPopularity' },
)
const NamedCount = Type.Object(
  { name: Type.String(), count: Type.Integer() },
  { $id: 'NamedCount' },
)
export const SuggestionsMeta = Type.Object(
  {
    query: Type.String(),
    page: Type.Integer(),
    hitsPerPage: Type.Integer(),
    totalHits: Type.Integer(),
  },
  { $id: 'SuggestionsMeta' },
)
export type SuggestionsMeta = Static<typeof SuggestionsMeta>
export const TabResult = Type.Object(
  {
    id: Type.String(),
    label: Type.String(),
    products: Type.Array(ProductCard),
    nb_hits: Type.Integer(),
    processing_time_ms: Type.Integer(),
  },
  { $id: 'FilteredTabResult' },
)
export type TabResult = Static<typeof TabResult>

export const SuggestionsResponse = Type.Object(
  {
    suggestions: Optional.Array(QueryPopularity),
    categories: Optional.Array(NamedCount),
    facets: Optional.Array(
      Type.Object({ field: Type.String(), values: Type.Array(Type.String()) }),
    ),
    dropdown_recommendations: Optional.Array(ProductCard),
    dropdown_product_list: Optional.Array(ProductCard),
    meta: Type.Optional(SuggestionsMeta),
    results: Optional.Array(
      Type.Object({
        hits: Type.Array(Type.Unknown()),
        extensions: Type.Object({
          metadata: Type.Optional(SuggestionsMeta),
          queryCategorization: Optional.Array(NamedCount),
          filtered_tabs: Optional.Array(TabResult),
          top_searches: Optional.Array(QueryPopularity),
          trending_searches: Optional.Array(QueryPopularity),
          related_searches: Optional.Array(QueryPopularity),
          popular_brands: Optional.Array(NamedCount),
        }),
      }),
      { description: 'With filtered tabs: suggestions first, then recommendations.' },
    ),
    warnings: Optional.Array(Type.String()),
  },
  {
    $id: 'SuggestionsResponse',
    description: '`{suggestions, …, meta}`, or `{results}` if the request has filtered tabs.',
  },
)
export type SuggestionsResponse = Static<typeof SuggestionsResponse>
