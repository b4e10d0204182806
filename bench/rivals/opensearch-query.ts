import type { BenchQuery } from '../lib/query-classes.ts'

/** An index as a shop's developer would create it: stems, words for facets, and a price. */
export function openSearchIndex({
  texts,
  facets,
}: {
  readonly texts: readonly string[]
  readonly facets: readonly string[]
}): { readonly settings: object; readonly mappings: object } {
  const stems = {
    type: 'custom',
    tokenizer: 'standard',
    filter: ['lowercase', 'porter_stem'],
  }
  return {
    settings: { analysis: { analyzer: { stems } } },
    mappings: {
      dynamic: false,
      properties: {
        ...Object.fromEntries(texts.map((name) => [name, { type: 'text', analyzer: 'stems' }])),
        ...Object.fromEntries(facets.map((name) => [name, { type: 'keyword' }])),
        price: { type: 'float' },
      },
    },
  }
}

/**
 * What a shop's developer would send OpenSearch for the same query: the top ten, the exact count,
 * and the facets. Without documents, like the other rivals.
 */
export function openSearchQuery(query: BenchQuery, texts: readonly string[]): object {
  const matching = query.q === '*' ? { match_all: {} } : { multi_match: words(query, texts) }
  const range = query.filters === undefined ? [] : [{ range: query.filters }]
  const facets = (query.facet_by ?? []).map((name) => [name, { terms: { field: name, size: 100 } }])
  return {
    query: { bool: { must: matching, filter: range } },
    size: 10,
    track_total_hits: true,
    _source: false,
    ...(query.sort_by === undefined ? {} : { sort: [{ price: 'asc' }] }),
    ...(facets.length === 0 ? {} : { aggs: Object.fromEntries(facets) }),
  }
}

function words(query: BenchQuery, fields: readonly string[]): object {
  const shared = { query: query.q, fields }
  // The words of a query may be in different fields.
  if (query.require_all_terms === true) {
    return { ...shared, type: 'cross_fields', operator: 'and' }
  }
  if (query.prefix_mode === 'always') return { ...shared, type: 'bool_prefix' }
  // One edit from 4 letters on, two from 7, as the service allows.
  return (query.typo_max ?? 0) > 0 ? { ...shared, fuzziness: 'AUTO:4,7' } : shared
}
