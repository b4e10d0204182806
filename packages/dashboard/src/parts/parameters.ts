import { ownValue } from '../format/own-value.ts'
import type { SearchParameters } from '@aisle/contract'
import {
  FACET_VALUES_DEFAULT,
  FACET_VALUES_MAX,
  GROUP_LIMIT_DEFAULT,
  GROUP_LIMIT_MAX,
  PAGE_MAX,
  PER_PAGE_DEFAULT,
  PER_PAGE_MAX,
  SEARCH_TIMEOUT_DEFAULT_MS,
  SNIPPET_TOKEN_LIMIT_DEFAULT,
  SNIPPET_TOKEN_LIMIT_MAX,
  TYPO_MAX,
  TYPO_MIN_LEN_1_DEFAULT_CHARS,
  TYPO_MIN_LEN_2_DEFAULT_CHARS,
  TYPO_MIN_LEN_MAX_CHARS,
} from '@aisle/contract/limits'

/** The default of the setting `semantic.weight`. */
const SEMANTIC_WEIGHT_SHOWN = 0.3
/** More than a service may allow at all. */
const SEARCH_TIMEOUT_MAX_SHOWN_MS = 10_000

export type ParameterName = keyof SearchParameters

/** How a parameter is set. `fields`, `sets` and `preset` offer what the store has. */
export type Control =
  | { readonly kind: 'flag'; readonly initial: boolean }
  | { readonly kind: 'maybe'; readonly initial: string }
  | { readonly kind: 'choice'; readonly options: readonly string[]; readonly initial: string }
  | {
      readonly kind: 'number'
      readonly min: number
      readonly max: number
      readonly step?: number
      readonly initial: number
      readonly unit?: string
    }
  | { readonly kind: 'text'; readonly placeholder: string }
  | { readonly kind: 'words'; readonly placeholder: string }
  | { readonly kind: 'fields'; readonly of: 'all' | 'searchable' | 'facet' }
  | { readonly kind: 'weights' }
  | { readonly kind: 'sets'; readonly of: 'synonym-sets' | 'stopword-sets' }
  | { readonly kind: 'preset' }
  | { readonly kind: 'json'; readonly placeholder: string }

export interface Parameter {
  readonly name: ParameterName
  /** In the words of a shop. */
  readonly label: string
  readonly about: string
  readonly control: Control
}

export interface ParameterGroup {
  readonly title: string
  readonly parameters: readonly Parameter[]
}

const parameter =
  (control: Control) =>
  (name: ParameterName, label: string, about: string): Parameter => ({
    name,
    label,
    about,
    control,
  })
const flag = (initial: boolean) => parameter({ kind: 'flag', initial })
const maybe = (initial: string) => parameter({ kind: 'maybe', initial })
const choice = (...options: readonly string[]) =>
  parameter({ kind: 'choice', options, initial: options[0] ?? '' })
const number = (initial: number, min: number, max: number, step = 1, unit?: string) =>
  parameter({ kind: 'number', initial, min, max, step, ...(unit === undefined ? {} : { unit }) })
const share = number(0, 0, 1, 0.05)
const text = (placeholder: string) => parameter({ kind: 'text', placeholder })
const words = (placeholder: string) => parameter({ kind: 'words', placeholder })
const fields = (of: 'all' | 'searchable' | 'facet') => parameter({ kind: 'fields', of })
const sets = (of: 'synonym-sets' | 'stopword-sets') => parameter({ kind: 'sets', of })

/**
 * Every parameter of a search except the query itself, by subject. A test compares it with the
 * contract.
 */
export const PARAMETER_GROUPS: readonly ParameterGroup[] = [
  {
    title: 'Words',
    parameters: [
      number(TYPO_MAX, 0, TYPO_MAX)('typo_max', 'Typos per word', '0 turns typo tolerance off.'),
      number(TYPO_MIN_LEN_1_DEFAULT_CHARS, 1, TYPO_MIN_LEN_MAX_CHARS)(
        'typo_min_len_1',
        'Minimum length for one typo',
        'Shorter words must match exactly.',
      ),
      number(TYPO_MIN_LEN_2_DEFAULT_CHARS, 1, TYPO_MIN_LEN_MAX_CHARS)(
        'typo_min_len_2',
        'Minimum length for two typos',
        'Shorter words may have one typo.',
      ),
      flag(false)('typo_numbers', 'Typos in numbers', 'Also tolerate typos in words with digits.'),
      choice('always', 'fallback', 'off')(
        'prefix_mode',
        'Last word as prefix',
        'Whether the last word also matches as a prefix.',
      ),
      choice('off', 'fallback', 'always')('infix_mode', 'Inside words', '`B123` finds `AB1234`.'),
      maybe('auto')(
        'require_all_terms',
        'Require all words',
        'Excludes products that lack a word. Default: only if at least 10 products have all words.',
      ),
      share(
        'min_relevance',
        'Minimum relevance',
        "Excludes products below this share of the best product's text score.",
      ),
      fields('searchable')('search_fields', 'Fields searched', 'Default: all searchable fields.'),
    ],
  },
  {
    title: 'Ranking',
    parameters: [
      parameter({ kind: 'weights' })(
        'field_weights',
        'Field weights',
        'A match in a field of weight 3 counts three times as much as in one of weight 1.',
      ),
      maybe('titles, brands, texts')(
        'exact_match_boost',
        'Exact values first',
        'A product whose value equals the query ranks first.',
      ),
      text('price:asc, _text_match:desc')('sort_by', 'Order', 'Up to 8 keys, separated by commas.'),
    ],
  },
  {
    title: 'Rules, sets, presets',
    parameters: [
      maybe('setting of the store')(
        'interpret',
        'Filters in the query',
        'Reads prices, colours, sizes, brands, categories and materials in the query.',
      ),
      words('red, under 100')(
        'interpret_except',
        'Texts that stay words',
        'Parts of the query that are not read as filters.',
      ),
      flag(true)('apply_rules', 'Apply rules', 'Off shows the results without rules.'),
      flag(true)(
        'personalize',
        'Personal results',
        "Off shows the results without the visitor's taste.",
      ),
      parameter({ kind: 'json', placeholder: '1764356400000' })(
        'personalize_as_of',
        'Taste as of',
        'Milliseconds since 1970: what the visitor did later does not count.',
      ),
      words('mobile, sale-page')('rule_contexts', 'Contexts', 'Rules can require one of these.'),
      sets('synonym-sets')('synonym_sets', 'Synonym sets', 'Default: the sets marked as default.'),
      flag(true)(
        'stopwords',
        'Stop words',
        'Off: every word of the query counts, even short ones (The Who, To Be or Not to Be).',
      ),
      sets('stopword-sets')(
        'stopword_sets',
        'Stop word sets',
        'Default: the sets marked as default.',
      ),
      parameter({ kind: 'preset' })(
        'preset_name',
        'Preset',
        'Saved parameters; those set here override them.',
      ),
    ],
  },
  {
    title: 'Filters',
    parameters: [
      text('brand:=Acme && price:[10..50]')(
        'filter_by',
        'Filter',
        'An expression, combined with the filters beside the results.',
      ),
      parameter({ kind: 'json', placeholder: '{"brand": ["Acme"]}' })(
        'filters',
        'Filters as an object',
        'The filters chosen beside the results.',
      ),
      choice('auto', 'on', 'off')(
        'semantic',
        'Search by meaning',
        'Where the settings name a language model.',
      ),
      number(
        SEMANTIC_WEIGHT_SHOWN,
        0,
        1,
        0.05,
      )(
        'semantic_weight',
        'Weight of meaning',
        'How much meaning counts beside words. Default: that of the settings.',
      ),
      parameter({ kind: 'json', placeholder: '{"field": "meaning", "like": "42"}' })(
        'vector',
        'Vector',
        'Products with a similar vector: that of a product, or numbers.',
      ),
      text('Europe/Berlin')(
        'time_zone',
        'Time zone',
        'For dates without an offset, and for calendar days. Default: UTC.',
      ),
    ],
  },
  {
    title: 'Facets',
    parameters: [
      text('brand, categories(limit:20), price')(
        'facet_by',
        'Facets',
        'Fields, in display order. `*` for all.',
      ),
      choice('conjunctive', 'disjunctive')(
        'facet_mode',
        'Counts of a chosen facet',
        'disjunctive: its other values keep their counts.',
      ),
      text('brand:no')(
        'facet_query',
        'Search in a facet',
        '`brand:no` counts only brands that start with “no”.',
      ),
      number(FACET_VALUES_DEFAULT, 0, FACET_VALUES_MAX)(
        'max_values',
        'Values per facet',
        'Maximum number.',
      ),
    ],
  },
  {
    title: 'Groups',
    parameters: [
      text('brand')('group_by', 'Group by', 'Groups products with equal values. Up to 3 fields.'),
      number(GROUP_LIMIT_DEFAULT, 1, GROUP_LIMIT_MAX)(
        'group_limit',
        'Products per group',
        'Maximum number.',
      ),
      choice('together', 'apart')(
        'group_missing',
        'Products without a value',
        'One group, or each on its own.',
      ),
      choice('documents', 'groups')(
        'facet_count',
        'What facets count',
        'Products, or groups of them.',
      ),
    ],
  },
  {
    title: 'Page',
    parameters: [
      number(PER_PAGE_DEFAULT, 0, PER_PAGE_MAX)('per_page', 'Hits per page', 'From 0 to 250.'),
      number(1, 1, PAGE_MAX)('page', 'Page', 'From 1.'),
    ],
  },
  {
    title: 'Response',
    parameters: [
      fields('all')('return_fields', 'Only these fields', 'Default: all.'),
      fields('all')('omit_fields', 'Without these fields', 'Overrides the ones above.'),
      choice('wrapped', 'flat')(
        'hit_format',
        'Hit format',
        "flat: the product's fields beside the score.",
      ),
      maybe('on, off for widgets')('highlight', 'Highlight matched words', 'In full texts.'),
      text('<mark>')('highlight_prefix', 'Before a highlighted word', 'In full texts.'),
      text('</mark>')('highlight_suffix', 'After a highlighted word', 'In full texts.'),
      flag(true)('highlight_escape', 'Escape HTML', 'Before highlighting.'),
      flag(false)('include_snippets', 'Snippets', 'Excerpts with highlighted words.'),
      fields('all')('snippet_fields', 'Snippet fields', 'Default: all searchable fields.'),
      fields('all')(
        'full_snippet_fields',
        'Uncut snippet fields',
        'Snippets of these fields are not cut.',
      ),
      text('as in full texts')(
        'snippet_prefix',
        'Before a highlighted word in snippets',
        'Default: as in full texts.',
      ),
      text('as in full texts')(
        'snippet_suffix',
        'After a highlighted word in snippets',
        'Default: as in full texts.',
      ),
      number(SNIPPET_TOKEN_LIMIT_DEFAULT, 1, SNIPPET_TOKEN_LIMIT_MAX)(
        'snippet_token_limit',
        'Words per snippet',
        'Maximum number.',
      ),
      flag(false)(
        'include_suggestions',
        'Suggestions',
        'Corrections, then completions of the last word.',
      ),
      flag(false)(
        'widget_mode',
        'Light responses',
        'For overlays: no highlighting; the last word is always a prefix.',
      ),
      flag(false)('explain', 'Explain scores', 'Select a product to see its score as a chart.'),
    ],
  },
  {
    title: 'Cache, events, time',
    parameters: [
      flag(false)('cache_results', 'Use the cache', 'When the same request was sent before.'),
      flag(true)('analytics', 'Count this search', 'The preview itself is never counted.'),
      words('mobile, spring')('analytics_tags', 'Tags', 'On the search event.'),
      number(
        SEARCH_TIMEOUT_DEFAULT_MS,
        1,
        SEARCH_TIMEOUT_MAX_SHOWN_MS,
        1,
        'ms',
      )('search_timeout_ms', 'Time limit', 'Returns what has been found by then.'),
    ],
  },
]

const CONTROLS: ReadonlyMap<string, Control> = new Map(
  PARAMETER_GROUPS.flatMap(({ parameters }) =>
    parameters.map(({ name, control }) => [name, control] as const),
  ),
)

export function controlOf(name: string): Control | undefined {
  return CONTROLS.get(name)
}

/** Defaults of a store, by the name of the parameter: `settings.ranking`. */
export type StoreDefaults = Readonly<Record<string, unknown>>

/** A control whose default is the store's, where its settings have one. */
export function withStoreDefault(
  name: string,
  control: Control,
  defaults: StoreDefaults | undefined,
): Control {
  if (control.kind !== 'number' && control.kind !== 'flag' && control.kind !== 'choice') {
    return control
  }
  const initial = ownValue(defaults, name)
  return typeof initial === typeof control.initial ? ({ ...control, initial } as Control) : control
}
