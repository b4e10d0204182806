import type { Static } from 'typebox'
import { Optional, Type } from './type.ts'
import {
  CACHE_MAX_BYTES_DEFAULT,
  CACHE_MAX_BYTES_MAX,
  CACHE_TTL_DEFAULT_SECONDS,
  CACHE_TTL_MAX_SECONDS,
  CORS_ORIGINS_MAX,
  EVENT_BYTES_PER_DAY_DEFAULT,
  EVENT_BYTES_PER_DAY_MAX,
  EVENT_BYTES_PER_DAY_MIN,
  EVENT_RETENTION_DEFAULT_DAYS,
  EVENT_RETENTION_MAX_DAYS,
  FIELD_LIST_MAX,
  FIELD_NAME_MAX_CHARS,
  GROUP_LIMIT_MAX,
  LANGUAGE_MAX_CHARS,
  ORIGIN_MAX_CHARS,
} from './limits.ts'
import { FacetDisplay } from './facet-display.ts'
import { NumericRanking, Ranking } from './ranking.ts'
import { INTERPRETED_FIELDS_MAX } from './semantic-limits.ts'
import { Semantic, SemanticInForce, StoreEmbedding } from './semantic.ts'
import { optionalSymbols, SymbolsToIndex, TokenSeparators } from './symbols.ts'

const language = Type.String({
  minLength: 1,
  maxLength: LANGUAGE_MAX_CHARS,
  default: 'en',
  description:
    'BCP 47 tag of the language of the documents. Changing it re-analyses them in the background.',
})
const fieldName = Type.String({ minLength: 1, maxLength: FIELD_NAME_MAX_CHARS })
const metadata = Type.Array(fieldName, {
  maxItems: FIELD_LIST_MAX,
  description: 'Additional fields shown on a card.',
})
const omitFields = Type.Array(fieldName, {
  maxItems: FIELD_LIST_MAX,
  description:
    'Fields whose values are never returned to visitors, whatever a request asks for: not in searches, recommendations and suggestions, not in documents read with the read secret, and neither as facets nor as groups. They can still be searched, filtered and sorted by according to their roles.',
})
const corsOrigins = Type.Array(Type.String({ minLength: 1, maxLength: ORIGIN_MAX_CHARS }), {
  maxItems: CORS_ORIGINS_MAX,
  description:
    'Web pages that may call the read routes: `https://shop.example.com`, or `*` for any. Default: none.',
})
const cache = Type.Object(
  {
    ttl_seconds: Optional.Integer({
      minimum: 1,
      maximum: CACHE_TTL_MAX_SECONDS,
      default: CACHE_TTL_DEFAULT_SECONDS,
      description: 'How long a response may be cached for `cache_results`.',
    }),
    max_bytes: Optional.Integer({
      minimum: 0,
      maximum: CACHE_MAX_BYTES_MAX,
      default: CACHE_MAX_BYTES_DEFAULT,
      description: 'Bytes of cached responses.',
    }),
  },
  { additionalProperties: false },
)
const searchesPerMonth = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description:
    'Searches per calendar month (UTC). Each query of a multi-search and each filter request counts, cached repeats do not. Default: no limit.',
})

const retentionDays = Type.Integer({
  minimum: 1,
  maximum: EVENT_RETENTION_MAX_DAYS,
  default: EVENT_RETENTION_DEFAULT_DAYS,
  description: 'Removes events that arrived longer ago than this.',
})

const eventBytesPerDay = Type.Integer({
  minimum: EVENT_BYTES_PER_DAY_MIN,
  maximum: EVENT_BYTES_PER_DAY_MAX,
  default: EVENT_BYTES_PER_DAY_DEFAULT,
  description:
    'Bytes of the event log per day (UTC): about 300 per event, search records included. Above it, events are refused with 429 until the next day. Takes effect within 30 seconds.',
})

const identity = Type.Enum(['open', 'signed'], {
  default: 'open',
  description:
    '`signed`: the header `x-user-id` counts only with `x-user-signature`, the HMAC-SHA-256 of the id in hex, keyed with the signing secret of the store; otherwise the header is ignored.',
})

/** Fields of a product card. */
export const CARD_ROLES = [
  'title',
  'url',
  'image',
  'price',
  'currency',
  'category',
  'brand',
] as const

const card = Type.Object(
  {
    ...(Object.fromEntries(CARD_ROLES.map((role) => [role, Type.Optional(fieldName)])) as Record<
      (typeof CARD_ROLES)[number],
      ReturnType<typeof Type.Optional<typeof fieldName>>
    >),
    metadata: Type.Optional(metadata),
  },
  { additionalProperties: false, description: 'Fields of a product card, by role.' },
)
const distinct = Type.Object(
  {
    field: fieldName,
    limit: Optional.Integer({
      minimum: 1,
      maximum: GROUP_LIMIT_MAX,
      default: 1,
      description: 'Maximum number of documents shown per group.',
    }),
  },
  {
    additionalProperties: false,
    description:
      'Field that identifies variants of one product: only the best documents with the same value are among the hits. For searches without `group_by`; all documents without a value are kept.',
  },
)

/** The `ranking.popularity_weight` that a popularity trial compares with 0. */
export const POPULARITY_TRIAL_WEIGHT = 0.3

const trialTime = (description: string) => Type.String({ format: 'date-time', description })
const popularityTrial = Type.Object(
  { from: trialTime('Start.'), until: trialTime('End, exclusive; at most 90 days later.') },
  {
    additionalProperties: false,
    description:
      'The period of an interleaved experiment, `popularity`, which compares results without popularity and with a weight of 0.3. docs/popularity.md.',
  },
)

/** What a store does with the interpretation of a query, unless a request says. */
export const INTERPRETATION_MODES = ['off', 'suggest', 'apply'] as const
const interpretation = Type.Object(
  {
    mode: Optional.Enum([...INTERPRETATION_MODES], {
      default: 'off',
      description:
        'For searches without `interpret`. `suggest`: the response lists the filters that the query means. `apply`: they are applied too. `off`: neither.',
    }),
    price_field: Optional.String({
      minLength: 1,
      maxLength: FIELD_NAME_MAX_CHARS,
      description: 'Field of the price, a single number. Default: the price of the product card.',
    }),
    fields: Optional.Array(fieldName, {
      maxItems: INTERPRETED_FIELDS_MAX,
      description:
        'Facets of type string whose values are read in queries. Default: brand and category of the product card, and fields named like a colour, a size or a material.',
    }),
  },
  { additionalProperties: false, description: 'Filters in queries. docs/interpretation.md.' },
)

/** Settings as given; absent members have their defaults. */
export const GivenSettings = Type.Object(
  {
    language: Type.Optional(language),
    ...optionalSymbols,
    product_card: Type.Optional(card),
    cors_origins: Type.Optional(corsOrigins),
    identity: Type.Optional(identity),
    ranking: Type.Optional(Ranking),
    distinct: Type.Optional(distinct),
    omit_fields: Type.Optional(omitFields),
    facet_display: Type.Optional(FacetDisplay),
    interpretation: Type.Optional(interpretation),
    semantic: Type.Optional(Semantic),
    popularity_trial: Type.Optional(popularityTrial),
    cache: Type.Optional(cache),
    quota: Optional.Object(
      { searches_per_month: Type.Optional(searchesPerMonth) },
      { additionalProperties: false },
    ),
    events: Optional.Object(
      {
        retention_days: Type.Optional(retentionDays),
        max_bytes_per_day: Type.Optional(eventBytesPerDay),
      },
      { additionalProperties: false },
    ),
  },
  {
    $id: 'GivenSettings',
    additionalProperties: false,
    description: 'Settings that the store has changed; all others have their defaults.',
  },
)
export type GivenSettings = Static<typeof GivenSettings>

/** OpenAPI cannot express a merge patch (RFC 7396) of a schema. */
export const SettingsPatch = Type.Object(GivenSettings.properties, {
  $id: 'SettingsPatch',
  description:
    'A JSON merge patch (RFC 7396): given members are set, `null` restores the default, lists are replaced.',
})

export const StoreAnalysis = Type.Object(
  {
    language: Type.String({ description: 'Language of the index in use.' }),
    state: Type.Enum(['ready', 'running', 'failed'], {
      description: '`running`: the documents are being analysed in `target_language`.',
    }),
    target_language: Optional.String({
      description: 'The same as `language` when only symbols change.',
    }),
    documents_done: Type.Integer(),
    documents_total: Type.Integer(),
  },
  { $id: 'StoreAnalysis' },
)
export type StoreAnalysis = Static<typeof StoreAnalysis>

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])

/** The settings in force, with defaults and guesses filled in. */
export const StoreSettings = Type.Object(
  {
    language: Type.String(),
    symbols_to_index: SymbolsToIndex,
    token_separators: TokenSeparators,
    product_card: Type.Object({
      title: orNull(fieldName),
      url: orNull(fieldName),
      image: orNull(fieldName),
      price: orNull(fieldName),
      currency: orNull(fieldName),
      category: orNull(fieldName),
      brand: orNull(fieldName),
      metadata,
    }),
    cors_origins: corsOrigins,
    identity,
    ranking: Type.Object({
      field_weights: orNull(Type.Record(Type.String(), Type.Integer())),
      sort_by: Type.Union([Type.String(), Type.Array(Type.String()), Type.Null()]),
      min_relevance: Type.Number(),
      popularity_weight: Type.Number(),
      learning: Type.Enum(['off', 'on']),
      learning_limit: Type.Number(),
      numeric: orNull(NumericRanking),
      personalize: orNull(
        Type.Object({ limit: Type.Number(), fields: orNull(Type.Array(fieldName)) }),
      ),
      accessories: Type.Enum(['off', 'down']),
      typo_max: Type.Integer(),
      typo_min_len_1: Type.Integer(),
      typo_min_len_2: Type.Integer(),
      typo_numbers: Type.Boolean(),
      prefix_mode: Type.Enum(['always', 'fallback', 'off']),
      infix_mode: Type.Enum(['off', 'fallback', 'always']),
      require_all_terms: Type.Union([Type.Boolean(), Type.Literal('auto')]),
      exact_match_boost: orNull(Type.Boolean()),
    }),
    distinct: orNull(distinct),
    popularity_trial: orNull(popularityTrial),
    omit_fields: omitFields,
    facet_display: orNull(FacetDisplay),
    interpretation: Type.Object({
      mode: Type.Enum([...INTERPRETATION_MODES]),
      price_field: orNull(fieldName),
      fields: orNull(Type.Array(fieldName)),
    }),
    semantic: orNull(SemanticInForce),
    embedders: Type.Array(Type.String(), {
      description: 'Embedders of the installation, for `semantic`.',
    }),
    cache: Type.Object({ ttl_seconds: Type.Integer(), max_bytes: Type.Integer() }),
    quota: Type.Object({
      searches_per_month: orNull(Type.Integer()),
      searches_used: Type.Integer({ description: 'Searches this month, with or without a limit.' }),
      resets_at: Type.String({ format: 'date-time', description: 'Start of the next month.' }),
    }),
    events: Type.Object({ retention_days: Type.Integer(), max_bytes_per_day: Type.Integer() }),
    guessed: Type.Array(Type.String(), {
      description: 'Roles of `product_card` that were guessed from field names.',
    }),
    version: Type.Integer({ description: '0 before the first change.' }),
    changed_at: Optional.String({ format: 'date-time' }),
    analysis: StoreAnalysis,
    embedding: Type.Optional(StoreEmbedding),
    warnings: Optional.Array(Type.String(), {
      description: 'Settings that have less effect than they say.',
    }),
  },
  { $id: 'StoreSettings' },
)
export type StoreSettings = Static<typeof StoreSettings>

/** The author of a change; `login` is set for users. */
export const ChangedBy = Type.Object(
  {
    actor: Type.Enum(['user', 'store_key', 'admin_token']),
    login: Optional.String(),
  },
  { $id: 'ChangedBy' },
)
export type ChangedBy = Static<typeof ChangedBy>

export const SettingsHistory = Type.Object(
  {
    versions: Type.Array(
      Type.Object({
        version: Type.Integer(),
        changed_at: Optional.String({ format: 'date-time' }),
        changed_by: Type.Optional(ChangedBy),
        note: Optional.String({ description: 'Reason given when it was published.' }),
        settings: GivenSettings,
        resources: Optional.Array(
          Type.Object({
            kind: Type.Enum(['synonym_set', 'stopword_set', 'rule', 'preset']),
            name: Type.String(),
            action: Type.Enum(['made', 'changed', 'deleted']),
          }),
          {
            description: 'Sets and rules published with it; a rollback reverts them.',
          },
        ),
      }),
      { description: 'Newest first.' },
    ),
  },
  { $id: 'SettingsHistory' },
)
export type SettingsHistory = Static<typeof SettingsHistory>

export const RollbackRequest = Type.Object(
  {
    version: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'A version of the history; its contents become a new version.',
    }),
  },
  { $id: 'RollbackRequest', additionalProperties: false },
)
export type RollbackRequest = Static<typeof RollbackRequest>
