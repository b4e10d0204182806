import type { Static } from 'typebox'
import { Optional, Type } from './type.ts'
import {
  EXPRESSION_MAX_CHARS,
  FIELD_LIST_MAX,
  FIELD_NAME_MAX_CHARS,
  QUERY_LENGTH_MAX_CHARS,
  RESOURCE_NAME_MAX_CHARS,
  RULE_BOOST_WEIGHT_MAX,
  RULE_BOOSTS_MAX,
  RULE_CONDITIONS_MAX,
  RULE_CONTEXTS_MAX,
  RULE_DESCRIPTION_MAX_CHARS,
  RULE_HIDDEN_MAX,
  RULE_PINS_MAX,
  RULE_POSITION_MAX,
  RULE_PREVIEW_QUERIES_MAX,
  RULE_PRIORITY_MAX,
  RULE_REMOVED_TEXTS_MAX,
  RULE_SCHEDULE_WINDOWS_MAX,
  RULE_TEXT_MAX_CHARS,
  RULE_URL_MAX_CHARS,
} from './limits.ts'
import { RuleConflict } from './rule-conflicts.ts'
import { FacetDisplay } from './facet-display.ts'
import { SearchParameters } from './search.ts'
import { SearchResponse } from './search-response.ts'

/** How a condition compares its words with the query. */
export const RULE_MATCHES = [
  'exact',
  'contains',
  'starts_with',
  'ends_with',
  'any',
  'empty',
] as const
export type RuleMatch = (typeof RULE_MATCHES)[number]

const filter = (description: string) =>
  Type.String({ minLength: 1, maxLength: EXPRESSION_MAX_CHARS, description })
/** The document id column limits its length in bytes. */
const documentId = Type.String({ minLength: 1, maxLength: 512, description: 'Document id.' })
const anyObject = (description: string) =>
  Type.Record(Type.String(), Type.Unknown(), { description })

export const RuleCondition = Type.Object(
  {
    query: Optional.String({
      maxLength: RULE_TEXT_MAX_CHARS,
      description: 'Words to compare with the query: folded, by their stems.',
    }),
    match: Optional.Enum([...RULE_MATCHES], {
      description:
        '`empty` matches `*` and queries without a word, `any` every query. Default: `exact` with a `query`, otherwise `any`.',
    }),
    contexts: Optional.Array(Type.String({ minLength: 1, maxLength: FIELD_NAME_MAX_CHARS }), {
      minItems: 1,
      maxItems: RULE_CONTEXTS_MAX,
      description: 'At least one of these is in the `rule_contexts` of the request.',
    }),
    filter_by: Type.Optional(
      filter('The request filters by this: all clauses are active, other filters do not matter.'),
    ),
  },
  {
    $id: 'RuleCondition',
    additionalProperties: false,
    description: 'Met when all of its members are met.',
  },
)
export type RuleCondition = Static<typeof RuleCondition>

export const RulePin = Type.Object(
  {
    id: documentId,
    position: Type.Integer({
      minimum: 1,
      maximum: RULE_POSITION_MAX,
      description: 'Position among all hits, from 1.',
    }),
  },
  { $id: 'RulePin', additionalProperties: false },
)

export const RuleBoost = Type.Object(
  {
    filter_by: filter('The documents to boost or bury.'),
    weight: Type.Number({
      minimum: 1 / RULE_BOOST_WEIGHT_MAX,
      maximum: RULE_BOOST_WEIGHT_MAX,
      description: 'Factor on the score: 2 doubles it, 0.5 halves it (buries).',
    }),
  },
  { $id: 'RuleBoost', additionalProperties: false },
)

const instant = (description: string) =>
  Optional.String({ maxLength: 40, description: `ISO 8601 with an offset. ${description}` })

export const RuleWindow = Type.Object(
  { from: instant('Absent: no start.'), until: instant('Exclusive. Absent: no end.') },
  { $id: 'RuleWindow', additionalProperties: false },
)
export type RuleWindow = Static<typeof RuleWindow>

const properties = {
  enabled: Optional.Boolean({ default: true }),
  priority: Optional.Integer({
    minimum: -RULE_PRIORITY_MAX,
    maximum: RULE_PRIORITY_MAX,
    default: 0,
    description: 'Rules apply from the highest to the lowest; the first wins a conflict.',
  }),
  description: Optional.String({ maxLength: RULE_DESCRIPTION_MAX_CHARS }),
  strategy: Optional.String({
    minLength: 1,
    maxLength: RESOURCE_NAME_MAX_CHARS,
    description: 'Name of its strategy: the rule applies only while that is on.',
  }),
  when: Optional.Array(RuleCondition, {
    minItems: 1,
    maxItems: RULE_CONDITIONS_MAX,
    description: 'At least one must be met. Absent: always.',
  }),
  schedule: Optional.Array(RuleWindow, {
    minItems: 1,
    maxItems: RULE_SCHEDULE_WINDOWS_MAX,
    description: 'Time windows in which the rule applies. Absent: always.',
  }),
  pin: Optional.Array(RulePin, {
    maxItems: RULE_PINS_MAX,
    description: 'Documents at fixed positions, if they pass the filters of the request.',
  }),
  hide: Optional.Array(documentId, {
    maxItems: RULE_HIDDEN_MAX,
    description: 'Documents to hide.',
  }),
  boost: Optional.Array(RuleBoost, {
    maxItems: RULE_BOOSTS_MAX,
    description: 'Boosts or buries documents among those that match equally many query words.',
  }),
  exact_match_boost: Optional.Boolean({
    description:
      'Unless the request sets it: with `false`, boosted documents may rank above documents whose value equals the query.',
  }),
  filter_by: Type.Optional(filter('Added to the filters of the request.')),
  sort_by: Optional.Union(
    [
      Type.String({ minLength: 1, maxLength: EXPRESSION_MAX_CHARS }),
      Type.Array(Type.String({ maxLength: EXPRESSION_MAX_CHARS }), {
        minItems: 1,
        maxItems: FIELD_LIST_MAX,
      }),
    ],
    { description: 'Sort order, unless the request sets one.' },
  ),
  semantic: Optional.Enum(['auto', 'on', 'off'], {
    description:
      'Whether the search ranks by meaning too, unless the request says `on` or `off`. Without the setting `semantic` of the store, it does nothing.',
  }),
  semantic_weight: Optional.Number({
    minimum: 0,
    maximum: 1,
    description: 'How much meaning counts beside words, unless the request sets it.',
  }),
  replace_query: Optional.String({
    minLength: 1,
    maxLength: QUERY_LENGTH_MAX_CHARS,
    description: 'Query to search instead.',
  }),
  remove_words: Optional.Array(Type.String({ minLength: 1, maxLength: RULE_TEXT_MAX_CHARS }), {
    maxItems: RULE_REMOVED_TEXTS_MAX,
    description: 'Words or phrases to remove from the query. If nothing is left, it is `*`.',
  }),
  facet_display: Type.Optional(FacetDisplay),
  banner: Optional.Union([Type.String(), anyObject('Any object, for the page to interpret.')], {
    description: 'Returned in `metadata.banner` and `metadata.banners`.',
  }),
  redirect: Optional.Union(
    [Type.String({ minLength: 1, maxLength: RULE_URL_MAX_CHARS }), anyObject('With `url`.')],
    {
      description:
        'Where the page may send the visitor: an `https:` or `http:` address with a host and without a login, or a path of the page itself, which starts with one `/`. Or an object with it as `url`. Returned in `metadata.redirect`, always as an object.',
    },
  ),
  metadata: Type.Optional(anyObject('Returned in `metadata`, beside `banner` and `redirect`.')),
} as const

export const PutRuleRequest = Type.Object(
  {
    id: Optional.String({ description: 'Must equal the id of the path, if given.' }),
    ...properties,
  },
  { $id: 'PutRuleRequest', additionalProperties: false },
)
export type PutRuleRequest = Static<typeof PutRuleRequest>

export const Rule = Type.Object(
  {
    id: Type.String({ description: 'Id of the rule.' }),
    ...properties,
    enabled: Type.Boolean(),
    priority: Type.Integer(),
  },
  { $id: 'Rule' },
)
export type Rule = Static<typeof Rule>

export const RuleList = Type.Object({ rules: Type.Array(Rule) }, { $id: 'RuleList' })

export const DeletedRule = Type.Object(
  { id: Type.String(), status: Type.Literal('deleted') },
  { $id: 'DeletedRule' },
)

export const PreviewRuleRequest = Type.Object(
  {
    rule: PutRuleRequest,
    search: Type.Partial(Type.Object(SearchParameters.properties), {
      description: 'The search to preview, as for `POST /v1/search`.',
    }),
    at: instant('Time of the preview, for schedules. Default: now.'),
    queries: Optional.Array(Type.String({ maxLength: QUERY_LENGTH_MAX_CHARS }), {
      maxItems: RULE_PREVIEW_QUERIES_MAX,
      description:
        'Further queries, such as those of yesterday, to test whether the rule applies, with the filters and contexts of `search`. They are not searched.',
    }),
  },
  { $id: 'PreviewRuleRequest', additionalProperties: false },
)
export type PreviewRuleRequest = Static<typeof PreviewRuleRequest>

export const RulePreview = Type.Object(
  {
    applies: Type.Boolean({ description: 'Whether the rule applies to this search.' }),
    live: SearchResponse,
    preview: SearchResponse,
    applies_to: Optional.Array(Type.Boolean(), { description: 'For each of `queries`, in order.' }),
    conflicts: Type.Array(RuleConflict, {
      description: 'Where saved rules contradict this one, in the order in which they apply.',
    }),
    conflicts_complete: Type.Boolean({
      description: 'Whether these are all: a list ends at the limits in docs/operating.md.',
    }),
  },
  {
    $id: 'RulePreview',
    description: 'The response now, and with the rule.',
  },
)
export type RulePreview = Static<typeof RulePreview>
