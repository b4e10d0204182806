import type { Static } from 'typebox'
import { Optional, Type } from './type.ts'
import {
  ANALYTICS_TAG_MAX_CHARS,
  ANALYTICS_TAGS_MAX,
  DOCUMENT_ID_MAX_BYTES,
  EXPRESSION_MAX_CHARS,
  FACET_VALUES_DEFAULT,
  FACET_VALUES_MAX,
  FIELD_LIST_MAX,
  FIELD_NAME_MAX_CHARS,
  FIELD_WEIGHT_MAX,
  GROUP_LIMIT_DEFAULT,
  GROUP_LIMIT_MAX,
  MARK_MAX_CHARS,
  PAGE_MAX,
  PER_PAGE_DEFAULT,
  PER_PAGE_MAX,
  QUERY_LENGTH_MAX_CHARS,
  RESOURCE_NAME_MAX_CHARS,
  RULE_CONTEXTS_MAX,
  SEARCH_TIMEOUT_DEFAULT_MS,
  SET_NAMES_MAX,
  SNIPPET_TOKEN_LIMIT_DEFAULT,
  SNIPPET_TOKEN_LIMIT_MAX,
  TIME_ZONE_MAX_CHARS,
  TYPO_MAX,
  TYPO_MIN_LEN_1_DEFAULT_CHARS,
  TYPO_MIN_LEN_2_DEFAULT_CHARS,
  TYPO_MIN_LEN_MAX_CHARS,
  VECTOR_DIMENSIONS_MAX,
} from './limits.ts'
import { INTERPRETED_READINGS_MAX } from './semantic-limits.ts'

const fieldList = (description: string) =>
  Optional.Array(Type.String({ maxLength: FIELD_NAME_MAX_CHARS }), {
    description,
    maxItems: FIELD_LIST_MAX,
  })
const nameList = (description: string, itemsMax: number, charsMax: number) =>
  Optional.Array(Type.String({ minLength: 1, maxLength: charsMax }), {
    description,
    maxItems: itemsMax,
  })
/** A comma-separated list, or an array of its parts. */
const textOrList = (charsMax: number, description: string) =>
  Optional.Union(
    [
      Type.String({ maxLength: EXPRESSION_MAX_CHARS }),
      Type.Array(Type.String({ maxLength: charsMax }), { maxItems: FIELD_LIST_MAX }),
    ],
    { description },
  )
const flag = (value: boolean, description: string) =>
  Optional.Boolean({ default: value, description })
const mark = (description: string, usual: { readonly default?: string } = {}) =>
  Optional.String({ ...usual, maxLength: MARK_MAX_CHARS, description })

/** Weight of a similarity beside words, unless given. */
export const VECTOR_WEIGHT_DEFAULT = 0.3

/** What documents are compared with by their vectors. */
export const VectorQuery = Type.Object(
  {
    field: Type.String({
      maxLength: FIELD_NAME_MAX_CHARS,
      description: 'A field of type `vector`.',
    }),
    values: Optional.Array(Type.Number(), {
      maxItems: VECTOR_DIMENSIONS_MAX,
      description: 'The vector to compare with; with the dimensions of the field.',
    }),
    like: Optional.String({
      maxLength: DOCUMENT_ID_MAX_BYTES,
      description:
        'Instead of `values`: the id of a document whose vector is used. That document is not among the hits.',
    }),
    weight: Optional.Number({
      minimum: 0,
      maximum: 1,
      default: VECTOR_WEIGHT_DEFAULT,
      description:
        'With words: weight of similarity beside them, as a share of the best document by words. 0: no effect.',
    }),
    min_similarity: Optional.Number({
      description:
        'Minimum similarity. Without words: documents below it are left out. With words: documents at or above it are found even without any of the words. From -1 to 1 where the field compares by `cosine`.',
    }),
  },
  { $id: 'VectorQuery', additionalProperties: false },
)

/** Parameters of a search, in the order of the API reference. */
export const SearchParameters = Type.Object(
  {
    q: Type.String({
      maxLength: QUERY_LENGTH_MAX_CHARS,
      description:
        'Query. `*` (or a blank text) matches every document. `"red shoe"` requires the phrase in a field; `-blue` and `-"dark blue"` exclude.',
    }),
    per_page: Optional.Integer({
      minimum: 0,
      maximum: PER_PAGE_MAX,
      default: PER_PAGE_DEFAULT,
      description: 'Hits per page.',
    }),
    page: Optional.Integer({
      minimum: 1,
      maximum: PAGE_MAX,
      default: 1,
      description: 'Page, from 1.',
    }),
    return_fields: fieldList(
      'Fields returned in the document of a hit; in all lists of fields, `object.*` means all fields inside an object. Default: all.',
    ),
    omit_fields: fieldList(
      'Fields left out of a hit, also of its `highlight` and `snippets`; takes precedence over `return_fields`.',
    ),
    search_fields: fieldList(
      'Fields that the query is matched against. Default: all searchable ones.',
    ),
    field_weights: Type.Optional(
      Type.Record(Type.String(), Type.Integer({ minimum: 0, maximum: FIELD_WEIGHT_MAX }), {
        maxProperties: FIELD_LIST_MAX,
        description:
          'Weight by field: a word in a field of weight 3 counts as much as three words in one of weight 1. `object.*` weighs all fields inside an object that are not named themselves.',
      }),
    ),
    filter_by: Optional.String({
      maxLength: EXPRESSION_MAX_CHARS,
      description:
        'Filter expression, e.g. `brand:=Acme && price:[10..50]`, `name:=St*`, `size:[<=24, >=44]`. Quotes (`"…"` or backticks) go around values with operators in them. `_collection:name` is the filter of a collection.',
    }),
    filters: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        maxProperties: FIELD_LIST_MAX,
        description:
          'Filter as an object, ANDed with `filter_by`: `{field: {min,max,gt,gte,lt,lte,not,exists} | scalar (equals) | array (any of; empty: no condition)}`.',
      }),
    ),
    time_zone: Optional.String({
      maxLength: TIME_ZONE_MAX_CHARS,
      default: 'UTC',
      description:
        'Time zone of dates without an offset and of calendar days in `filter_by`, `filters`, `facet_by` and `sort_by`: a name such as `Europe/Berlin`, or an offset such as `+02:00`.',
    }),
    facet_by: textOrList(
      EXPRESSION_MAX_CHARS,
      'Facets: comma list or array of `field`, `field(limit:20, sort:count|alpha)`, `field(name:[low,high], …)`, of a date `field(interval:hour|day|week|month|quarter|year, time_zone:…)`, `object.*` for all fields inside an object, or `*` for all.',
    ),
    facet_query: Optional.String({
      maxLength: QUERY_LENGTH_MAX_CHARS,
      description:
        'Searches inside a facet: `brand:ni` counts only brands with a word that starts with `ni`; tolerates typos if no value has the words as typed. The values have `highlighted`.',
    }),
    facet_mode: Optional.Enum(['conjunctive', 'disjunctive'], {
      default: 'conjunctive',
      description: '`disjunctive` ignores the filter on a field when counting that field.',
    }),
    max_values: Optional.Integer({
      minimum: 0,
      maximum: FACET_VALUES_MAX,
      default: FACET_VALUES_DEFAULT,
      description: 'Maximum number of values per facet.',
    }),
    sort_by: textOrList(
      EXPRESSION_MAX_CHARS,
      'Up to 8, separated by commas, of `field:asc|desc`, `field(missing:first|last):asc|desc`, `_text_match`, `_text_match(buckets: 10)`, `_popularity`, `_similarity`, `_eval(filter):desc`, `_rand(seed)`.',
    ),
    vector: Type.Optional(VectorQuery),
    semantic: Optional.Enum(['auto', 'on', 'off'], {
      default: 'auto',
      description:
        'Whether a query with words ranks by its meaning too, where the setting `semantic` of the store names an embedder. `auto`: yes, but the last word of a query that is still being typed is not waited for. `on`: that one too; without the setting, an error. `off`: by words alone.',
    }),
    semantic_weight: Optional.Number({
      minimum: 0,
      maximum: 1,
      description:
        'How much meaning counts beside words, where a query ranks by the setting `semantic`. Default: `weight` of the setting.',
    }),
    personalize: flag(
      true,
      'Whether the taste of the visitor counts, where the setting `ranking.personalize` is on and a header names the visitor.',
    ),
    personalize_as_of: Optional.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'The `personalized.as_of` of the first page: later pages then have the same order, whatever the visitor has looked at since.',
    }),
    group_by: textOrList(
      FIELD_NAME_MAX_CHARS,
      'Up to 3 fields that are facets or sortable, with single strings, numbers or bools: documents with the same values are returned together in `grouped_hits`, and pages are pages of groups. Empty: no groups, whatever the setting `distinct` of the store says.',
    ),
    group_limit: Optional.Integer({
      minimum: 1,
      maximum: GROUP_LIMIT_MAX,
      default: GROUP_LIMIT_DEFAULT,
      description: 'Maximum number of hits per group.',
    }),
    group_missing: Optional.Enum(['together', 'apart'], {
      default: 'together',
      description:
        'Documents without a value of a group field: together in one group, or each in a separate group.',
    }),
    facet_count: Optional.Enum(['documents', 'groups'], {
      default: 'documents',
      description:
        'What facets count: documents, or groups that have at least one document with the value. Statistics always cover documents. Ignored without groups.',
    }),
    highlight: Optional.Boolean({
      description:
        'Returns whole field texts with matched words marked. Default: true; false with `widget_mode`.',
    }),
    highlight_escape: flag(
      true,
      'HTML-escapes field text in highlights and snippets before adding the marks.',
    ),
    highlight_prefix: mark(
      'Mark before a matched word in `highlight`, and in snippets without `snippet_prefix`.',
      { default: '<mark>' },
    ),
    highlight_suffix: mark(
      'Mark after a matched word in `highlight`, and in snippets without `snippet_suffix`.',
      { default: '</mark>' },
    ),
    hit_format: Optional.Enum(['wrapped', 'flat'], {
      default: 'wrapped',
      description:
        '`flat` gives hits `{...document, id, _highlight, _snippets, _text_match_score}`.',
    }),
    include_snippets: flag(false, 'Adds `snippets`: excerpts with marked words.'),
    snippet_fields: fieldList(
      'Fields to cut snippets from. Default: all searchable ones. Only searched fields have marks.',
    ),
    full_snippet_fields: fieldList(
      'Fields whose snippet is the whole text, besides those of `snippet_fields`.',
    ),
    snippet_prefix: mark('Mark before a matched word in snippets. Default: `highlight_prefix`.'),
    snippet_suffix: mark('Mark after a matched word in snippets. Default: `highlight_suffix`.'),
    snippet_token_limit: Optional.Integer({
      minimum: 1,
      maximum: SNIPPET_TOKEN_LIMIT_MAX,
      default: SNIPPET_TOKEN_LIMIT_DEFAULT,
      description: 'Maximum number of words per snippet.',
    }),
    typo_max: Optional.Integer({
      minimum: 0,
      maximum: TYPO_MAX,
      default: TYPO_MAX,
      description: 'Maximum number of typos per word; 0 turns typo tolerance off.',
    }),
    typo_min_len_1: Optional.Integer({
      minimum: 1,
      maximum: TYPO_MIN_LEN_MAX_CHARS,
      default: TYPO_MIN_LEN_1_DEFAULT_CHARS,
      description: 'Minimum length of a word for one typo.',
    }),
    typo_min_len_2: Optional.Integer({
      minimum: 1,
      maximum: TYPO_MIN_LEN_MAX_CHARS,
      default: TYPO_MIN_LEN_2_DEFAULT_CHARS,
      description: 'Minimum length of a word for two typos.',
    }),
    typo_numbers: flag(false, 'Also tolerates typos in words with digits.'),
    prefix_mode: Optional.Enum(['always', 'fallback', 'off'], {
      default: 'always',
      description:
        'Whether the last word also matches as a prefix; `fallback`: only if exact words find nothing.',
    }),
    infix_mode: Optional.Enum(['off', 'fallback', 'always'], {
      default: 'off',
      description:
        'Whether words of at least 3 characters also match inside words (`B123` finds `AB1234`), ranked below everything else; `fallback`: only if nothing else matches the word.',
    }),
    require_all_terms: Optional.Union([Type.Boolean(), Type.Literal('auto')], {
      default: 'auto',
      description:
        'Which words of the query a matching document must have, in any field. `true`: every word; `false`: any; `auto` (default, unless the store sets another): every significant word if at least 10 documents of the store have them, regardless of filters, otherwise any. The response has `matched_terms`.',
    }),
    min_relevance: Optional.Number({
      minimum: 0,
      maximum: 1,
      description:
        'Leaves out documents whose words score less than this share of the best document, in any sort order: with 0.8, a search for `tent` returns no lanterns that only mention one. Default: the setting of the store, or 0 (leaves out none).',
    }),
    exact_match_boost: Optional.Boolean({
      description:
        'Documents with a field value that equals the query rank first. `true`: in any searched field except lists; `false`: off; default: in titles, brands and texts.',
    }),
    explain: flag(false, 'Adds an explanation of its score to each hit.'),
    widget_mode: flag(
      false,
      'Light responses for autocomplete overlays: no highlight unless requested; the last word is always a prefix.',
    ),
    include_suggestions: flag(
      false,
      'Adds `suggestions`: corrections first, then completions of the last word.',
    ),
    preset_name: Optional.String({
      minLength: 1,
      maxLength: RESOURCE_NAME_MAX_CHARS,
      description: 'Saved parameters to start from; parameters of the request take precedence.',
    }),
    cache_results: flag(
      false,
      'Allows an answer from the cache (`cached: true`) to an identical query; it does not count toward the quota. Any change of the store empties the cache.',
    ),
    interpret: Optional.Union([Type.Boolean(), Type.Literal('apply')], {
      description:
        'Reads prices (`under 100`), colours, sizes, brands, categories and materials in the query. `true`: the response has them as filters, in `interpretation`; `apply`: the search applies them too; `false`: neither. Default: the setting `interpretation.mode` of the store.',
    }),
    interpret_except: nameList(
      'Texts of the query that stay words: the `text` of filters in `interpretation` that a visitor removed.',
      INTERPRETED_READINGS_MAX,
      QUERY_LENGTH_MAX_CHARS,
    ),
    apply_rules: flag(true, 'false bypasses all merchandising rules.'),
    rule_contexts: nameList(
      'Contexts for the conditions of rules.',
      RULE_CONTEXTS_MAX,
      FIELD_NAME_MAX_CHARS,
    ),
    analytics_tags: nameList(
      'Tags of the search event.',
      ANALYTICS_TAGS_MAX,
      ANALYTICS_TAG_MAX_CHARS,
    ),
    analytics: flag(true, 'false records no search event: for tests, monitors and shop staff.'),
    stopwords: flag(
      true,
      'false: no word of the query is a stopword (The Who, To Be or Not to Be): neither the common words of a language, which count half and need not match, nor those of any stopword set.',
    ),
    stopword_sets: nameList(
      'Stopword sets to apply: removes their words from the query, unless nothing would be left. Default: the sets marked `default`; an empty list: none.',
      SET_NAMES_MAX,
      RESOURCE_NAME_MAX_CHARS,
    ),
    synonym_sets: nameList(
      'Synonym sets to apply. Default: the sets marked `default`; an empty list: none.',
      SET_NAMES_MAX,
      RESOURCE_NAME_MAX_CHARS,
    ),
    search_timeout_ms: Optional.Integer({
      minimum: 1,
      default: SEARCH_TIMEOUT_DEFAULT_MS,
      description:
        'Timeout of the whole request (all queries of a multi-search together), in milliseconds: then the response has the results so far, with `search_cutoff`. Capped at the maximum of the service (2,000 by default), with a warning.',
    }),
  },
  {
    $id: 'SearchParameters',
    description: 'Parameters of one search. Unknown ones are ignored and named in `warnings`.',
  },
)
export type VectorQuery = Static<typeof VectorQuery>
export type SearchParameters = Static<typeof SearchParameters>

export const MultiSearchRequest = Type.Object(
  {
    queries: Type.Array(SearchParameters, {
      minItems: 1,
      maxItems: 10,
      description: 'Searches; responses come in this order.',
    }),
  },
  { $id: 'MultiSearchRequest' },
)

/** Parameters of `/v1/filters`: those that decide which documents are counted, and how. */
export const FiltersRequest = Type.Object(
  {
    q: Optional.String({ maxLength: QUERY_LENGTH_MAX_CHARS, default: '*', description: 'Query.' }),
    ...Type.Pick(SearchParameters, [
      'filter_by',
      'filters',
      'time_zone',
      'facet_by',
      'facet_query',
      'facet_mode',
      'max_values',
      'vector',
      'semantic',
      'semantic_weight',
      'search_fields',
      'field_weights',
      'require_all_terms',
      'min_relevance',
      'typo_max',
      'typo_min_len_1',
      'typo_min_len_2',
      'typo_numbers',
      'prefix_mode',
      'infix_mode',
      'stopwords',
      'stopword_sets',
      'synonym_sets',
      'preset_name',
      'interpret',
      'interpret_except',
      'apply_rules',
      'rule_contexts',
      'search_timeout_ms',
    ]).properties,
  },
  { $id: 'FiltersRequest', description: '`facet_by` is `*` by default: every facet of the store.' },
)
export type FiltersRequest = Static<typeof FiltersRequest>
export type MultiSearchRequest = Static<typeof MultiSearchRequest>
