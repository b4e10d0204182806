import { HAS_VECTORS } from '@aisle/testing'

/**
 * A catalog of two tenants, and requests that look for the documents of the second one: what the
 * test of scoped tokens asks.
 */
export const FIELDS = [
  { name: 'title', type: 'string', searchable: true },
  { name: 'brand', type: 'string', searchable: true, facet: true, sort: true },
  { name: 'tenant', type: 'string', facet: true },
  { name: 'price', type: 'float', facet: true, sort: true },
  ...(HAS_VECTORS ? [{ name: 'meaning', type: 'vector', dimensions: 8 }] : []),
]
const vectorOf = (first: number) => [first, 1, 0, 0, 0, 0, 0, 0]
const near = (first: number) => (HAS_VECTORS ? { meaning: vectorOf(first) } : {})
export const SEEN = [
  {
    id: 'seen-1',
    title: 'Red tent for two',
    brand: 'Fells',
    tenant: 'amber',
    price: 10,
    ...near(1),
  },
  {
    id: 'seen-2',
    title: 'Blue tent',
    brand: 'Norrby',
    tenant: 'amber',
    price: 20,
    ...near(2),
  },
  { id: 'seen-3', title: 'Camping stove', brand: 'Fells', tenant: 'amber', price: 30 },
]
export const HIDDEN = [
  {
    id: 'hidden-1',
    title: 'Zorblax tent',
    brand: 'Quibber',
    tenant: 'zircon',
    price: 7777,
    ...near(1),
  },
  { id: 'hidden-2', title: 'Zorblax stove', brand: 'Quibber', tenant: 'zircon', price: 8888 },
  {
    id: 'hidden-3',
    title: 'Sunflower tent vrimble',
    brand: 'Quibber',
    tenant: 'zircon',
    price: 9999,
    ...near(3),
  },
]
const SECRETS = /zircon|zorblax|quibber|vrimble|sunflower|hidden-\d|7777|8888|9999/gi
export const QUERIES = [
  '*',
  'tent',
  'zor',
  'zorblex',
  'zorb lax',
  'qib',
  'sun flawer',
  'red tnet',
  'vrimbl',
  '',
]
/** One or more values of each parameter, all that could widen what is seen among them. */
export const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  per_page: [0, 250],
  page: [2],
  return_fields: [['title', 'tenant']],
  omit_fields: [['price']],
  search_fields: [['brand'], ['title']],
  field_weights: [{ brand: 9 }],
  filter_by: [
    'tenant:=zircon',
    'tenant:=amber || tenant:=zircon',
    '!tenant:=amber',
    'price:>0',
    'tenant:[amber, zircon]',
    'title:zorblax || title:tent',
  ],
  filters: [{ tenant: ['amber', 'zircon'] }, { tenant: 'zircon' }, { price: { min: 0 } }],
  time_zone: ['Europe/Berlin'],
  facet_by: ['*', 'tenant', 'brand(limit:100, sort:alpha)', 'price(all:[,])', ['brand', 'price']],
  facet_query: ['brand:q', 'brand:quiber', 'tenant:z'],
  facet_mode: ['disjunctive'],
  max_values: [100],
  sort_by: ['price:desc', '_eval(tenant:=zircon):desc', '_popularity:desc', '_rand(7)'],
  vector: HAS_VECTORS
    ? [
        { field: 'meaning', values: vectorOf(1) },
        { field: 'meaning', values: vectorOf(1), min_similarity: -1 },
        { field: 'meaning', like: 'hidden-1' },
        { field: 'meaning', like: 'seen-1', min_similarity: 0.1 },
      ]
    : [],
  group_by: [['tenant'], ['brand', 'tenant']],
  group_limit: [99],
  group_missing: ['apart'],
  facet_count: ['groups'],
  highlight: [true],
  highlight_escape: [false],
  highlight_prefix: ['['],
  highlight_suffix: [']'],
  hit_format: ['flat'],
  include_snippets: [true],
  snippet_fields: [['title', 'brand']],
  full_snippet_fields: [['title']],
  snippet_prefix: ['['],
  snippet_suffix: [']'],
  snippet_token_limit: [5],
  typo_max: [0, 2],
  typo_min_len_1: [1],
  typo_min_len_2: [1],
  typo_numbers: [true],
  prefix_mode: ['off', 'fallback'],
  infix_mode: ['always', 'fallback'],
  require_all_terms: [true],
  min_relevance: [0.9],
  exact_match_boost: [true],
  explain: [true],
  widget_mode: [true],
  include_suggestions: [true],
  preset_name: ['wide', 'narrow', 'none'],
  cache_results: [true],
  semantic: ['auto', 'off'],
  semantic_weight: [0.5],
  personalize: [false],
  personalize_as_of: [0],
  interpret: [true, 'apply'],
  interpret_except: [['zorblax']],
  apply_rules: [false],
  rule_contexts: [['x']],
  analytics_tags: [['x']],
  analytics: [false],
  stopwords: [false],
  stopword_sets: [[]],
  synonym_sets: [[]],
  search_timeout_ms: [2_000],
}
export const SUGGESTING: Readonly<Record<string, readonly unknown[]>> = {
  query: ['zor'],
  hitsPerPage: [20],
  page: [1],
  include_categories: [true],
  include_facets: [true],
  include_dropdown_recommendations: [true],
  include_dropdown_product_list: [false],
  include_filtered_tabs: [false],
  include_empty_query_recommendations: [true],
  max_categories: [10],
  max_facets: [10],
  min_popularity: [1],
  time_range: ['90d'],
  disable_typo_tolerance: [true],
  analytics_tags: [['x']],
  tags_match_mode: ['all'],
  filtered_tabs: [[{ label: 'All' }], [{ label: 'B', filters: { tenant: 'zircon' } }]],
}
/** Together, what makes the richest answers. */
export const RICH = {
  facet_by: '*',
  include_suggestions: true,
  include_snippets: true,
  per_page: 250,
}
export const RICH_SUGGESTIONS = {
  include_categories: true,
  include_facets: true,
  include_dropdown_recommendations: true,
  include_empty_query_recommendations: true,
}

/** The hidden words of an answer that the request itself did not have. */
export function leaked(answer: string, request: unknown): string[] {
  const sent = JSON.stringify(request).toLowerCase()
  const shown = answer.replaceAll(/"(search_id|request_id)":"[^"]*"/g, '')
  return [...shown.matchAll(SECRETS)]
    .map(([word]) => word)
    .filter((word) => !sent.includes(word.toLowerCase()))
}

export function requestsOf(
  values: Readonly<Record<string, readonly unknown[]>>,
  rich: object,
): object[] {
  const single = Object.entries(values).flatMap(([name, list]) =>
    list.map((value) => ({ [name]: value })),
  )
  const each = single.flatMap((one) => [one, { ...rich, ...one }])
  return [
    ...QUERIES.flatMap((q) => [{ q }, { q, ...rich }]),
    ...['*', 'tent', 'zorblex'].flatMap((q) => each.map((one) => ({ q, ...one }))),
  ]
}
