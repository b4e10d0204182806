import { FACET_VALUES_MAX, GROUP_LIMIT_MAX, PER_PAGE_MAX } from '@aisle/contract/limits'
import { numberOf, textOf, textsOf, type Json } from './json.ts'

/**
 * The operators are the same except "not", which Typesense also writes as `:!`, and filters on one
 * element: `variants.{color:=red}` is `variants:{color:=red}`.
 */
export function filterOfTypesense(filter: string): string {
  return filter.replaceAll(':!=', ':!').replaceAll(':!', ':!=').replaceAll('.{', ':{')
}

/** Fields, `_text_match` and its `buckets` are the same; a `bucket_size` has no equivalent. */
export function sortOfTypesense(order: string): string {
  return order.replaceAll(/_text_match\([^()]{0,100}\)/g, (key) =>
    /^_text_match\( ?buckets ?: ?[1-9]\d{0,2} ?\)$/.test(key) ? key : '_text_match',
  )
}

/** A list, or a comma-separated text. */
function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return textsOf(value)
  return (textOf(value) ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** The names of fields in the store. */
interface Names {
  nameOf(path: string): string
  renamed(expression: string): string
}

type Read = (
  value: unknown,
  all: Json,
  names: Names,
  note: (text: string) => void,
) => Readonly<Record<string, unknown>>

const same =
  (name: string): Read =>
  (value) => ({ [name]: value })
const list =
  (name: string): Read =>
  (value) => ({ [name]: namesIn(value) })
const fields =
  (name: string): Read =>
  (value, _, fieldNames) => ({ [name]: namesIn(value).map((path) => fieldNames.nameOf(path)) })
/** Typesense has a value for each field; the first one is used for all. */
const first =
  (name: string, max = Number.MAX_SAFE_INTEGER): Read =>
  (value, _, __, note) => {
    const values = new Set(namesIn(value))
    const given = numberOf(value) ?? Number([...values][0])
    const number = Math.min(given, max)
    if (values.size > 1) note(`has a value per field: ${number} is used for all`)
    else if (given > max) note(`is ${max} instead of ${given}, the maximum`)
    return Number.isFinite(number) ? { [name]: number } : {}
  }

/** Parameters of a search in Typesense, with their equivalents. */
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
  sort_by: (value, _, fieldNames, note) => {
    const order = sortOfTypesense(String(value))
    if (order !== value) note('has options of `_text_match` that are left out')
    return { sort_by: fieldNames.renamed(order) }
  },
  facet_by: fields('facet_by'),
  group_by: fields('group_by'),
  group_limit: first('group_limit', GROUP_LIMIT_MAX),
  group_missing_values: (value) => ({
    group_missing: /false/.test(String(value)) ? 'apart' : 'together',
  }),
  max_facet_values: first('max_values', FACET_VALUES_MAX),
  facet_query: same('facet_query'),
  per_page: first('per_page', PER_PAGE_MAX),
  limit: first('per_page', PER_PAGE_MAX),
  page: same('page'),
  include_fields: fields('return_fields'),
  exclude_fields: fields('omit_fields'),
  highlight_full_fields: fields('full_snippet_fields'),
  highlight_fields: fields('snippet_fields'),
  highlight_start_tag: same('highlight_prefix'),
  highlight_end_tag: same('highlight_suffix'),
  num_typos: first('typo_max'),
  min_len_1typo: first('typo_min_len_1'),
  min_len_2typo: first('typo_min_len_2'),
  prefix: (value, _, __, note) => {
    if (new Set(namesIn(value)).size > 1)
      note('has a value for each field: prefixes are off for all')
    return { prefix_mode: /false/.test(String(value)) ? 'off' : 'always' }
  },
  infix: (value, _, __, note) => {
    const mode = namesIn(value).find((one) => one === 'always' || one === 'fallback')
    if (new Set(namesIn(value)).size > 1) note(`has a value per field: ${mode} is used for all`)
    return { infix_mode: mode ?? 'off' }
  },
  drop_tokens_threshold: (value, _, __, note) => {
    if (Number(value) === 0) return { require_all_terms: true }
    note(
      'is 10 here: all words must match while at least 10 documents have them, else any word does',
    )
    return {}
  },
  enable_typos_for_numerical_tokens: same('typo_numbers'),
  enable_synonyms: (value) => (value === false || value === 'false' ? { synonym_sets: [] } : {}),
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

/** Converts a preset of Typesense. */
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
    const read = Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name] : undefined
    const isJoin = /^(filter|sort)_by$/.test(name) && String(given).includes('$')
    if (read === undefined) notes.push(`\`${name}\` has no equivalent`)
    else if (isJoin) notes.push(`\`${name}\` is left out: it joins another collection`)
    else {
      const note = (text: string): void => void notes.push(`\`${name}\` ${text}`)
      Object.assign(value, read(given, parameters, fieldNames, note))
    }
  }
  return { value, notes }
}
