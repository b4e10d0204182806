import { numberOf, textOf, textsOf } from './json.ts'
import type { Json } from './json.ts'

/**
 * The operators are the same but for "not", which Typesense also writes `:!`, and filters on one
 * element: `variants.{color:=red}` is `variants:{color:=red}`.
 */
export function filterOfTypesense(filter: string): string {
  return filter.replaceAll(':!=', ':!').replaceAll(':!', ':!=').replaceAll('.{', ':{')
}

/** `_text_match` and fields are the same; buckets of it have no equivalent. */
export function sortOfTypesense(order: string): string {
  return order.replaceAll(/_text_match\([^()]{0,100}\)/g, '_text_match')
}

/** A list, or a text with commas. */
function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return textsOf(value)
  return (textOf(value) ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** What fields are called in the store. */
interface Names {
  nameOf(path: string): string
  renamed(expression: string): string
}

type Read = (value: unknown, all: Json, names: Names) => Readonly<Record<string, unknown>>

const same =
  (name: string): Read =>
  (value) => ({ [name]: value })
const list =
  (name: string): Read =>
  (value) => ({ [name]: namesIn(value) })
const fields =
  (name: string): Read =>
  (value, _, fieldNames) => ({ [name]: namesIn(value).map((path) => fieldNames.nameOf(path)) })
/** Typesense has a value for each field; the first one stands for all. */
const first =
  (name: string): Read =>
  (value) => {
    const number = numberOf(value) ?? Number(namesIn(value)[0])
    return Number.isFinite(number) ? { [name]: number } : {}
  }

/** Parameters of a search in Typesense, and what they become. */
const PARAMETERS: Readonly<Record<string, Read>> = {
  q: same('q'),
  query_by: fields('search_fields'),
  query_by_weights: (value, all, fieldNames) => {
    const paths = namesIn(all['query_by'])
    const weights = namesIn(value).map(Number)
    const pairs = paths.map((path, i) => [fieldNames.nameOf(path), Math.round(weights[i] ?? 1)])
    return { field_weights: Object.fromEntries(pairs) as Record<string, number> }
  },
  filter_by: (value, _, fieldNames) => ({
    filter_by: fieldNames.renamed(filterOfTypesense(String(value))),
  }),
  sort_by: (value, _, fieldNames) => ({
    sort_by: fieldNames.renamed(sortOfTypesense(String(value))),
  }),
  facet_by: fields('facet_by'),
  group_by: fields('group_by'),
  group_limit: first('group_limit'),
  group_missing_values: (value) => ({
    group_missing: /false/.test(String(value)) ? 'apart' : 'together',
  }),
  max_facet_values: same('max_values'),
  facet_query: same('facet_query'),
  per_page: same('per_page'),
  limit: same('per_page'),
  page: same('page'),
  include_fields: fields('return_fields'),
  exclude_fields: fields('omit_fields'),
  highlight_full_fields: fields('full_snippet_fields'),
  highlight_fields: fields('snippet_fields'),
  highlight_start_tag: same('highlight_prefix'),
  highlight_end_tag: same('highlight_suffix'),
  highlight_affix_num_tokens: () => ({}),
  snippet_threshold: () => ({}),
  num_typos: first('typo_max'),
  min_len_1typo: first('typo_min_len_1'),
  min_len_2typo: first('typo_min_len_2'),
  prefix: (value) => ({ prefix_mode: /false/.test(String(value)) ? 'off' : 'always' }),
  infix: (value) => {
    const mode = namesIn(value).find((one) => one === 'always' || one === 'fallback')
    return { infix_mode: mode ?? 'off' }
  },
  drop_tokens_threshold: (value) => (Number(value) === 0 ? { require_all_terms: true } : {}),
  stopwords: list('stopword_sets'),
  synonym_sets: list('synonym_sets'),
  use_cache: same('cache_results'),
  search_cutoff_ms: same('search_timeout_ms'),
  enable_overrides: same('apply_rules'),
  enable_curations: same('apply_rules'),
  override_tags: list('rule_contexts'),
  curation_tags: list('rule_contexts'),
  collection: () => ({}),
}

/** A preset of Typesense as one of ours. */
export function presetOfTypesense(
  parameters: Json,
  fieldNames: Names,
): {
  readonly value: Readonly<Record<string, unknown>>
  readonly notes: readonly string[]
} {
  const value: Record<string, unknown> = {}
  const notes: string[] = []
  for (const [name, given] of Object.entries(parameters)) {
    const read = PARAMETERS[name]
    if (read === undefined) notes.push(`\`${name}\` has no equivalent`)
    else Object.assign(value, read(given, parameters, fieldNames))
  }
  return { value, notes }
}
