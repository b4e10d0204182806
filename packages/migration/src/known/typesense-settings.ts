import type { KnownSettings } from './fate.ts'

/** `GET /collections/x`: https://typesense.org/docs/latest/api/collections.html */
export const TYPESENSE_COLLECTION: KnownSettings = {
  name: 'fact',
  num_documents: 'fact',
  created_at: 'fact',
  updated_at: 'fact',
  num_memory_shards: 'fact',
  fields: 'carried',
  default_sorting_field: 'carried',
  symbols_to_index: 'carried',
  token_separators: 'carried',
  // Objects are always flattened.
  enable_nested_fields: 'fact',
  synonym_sets: 'carried',
  curation_sets: 'carried',
  metadata: { note: 'has no equivalent: stores have no custom metadata' },
  voice_query_model: { note: 'has no equivalent' },
}

export const TYPESENSE_FIELD: KnownSettings = {
  name: 'carried',
  type: 'carried',
  facet: 'carried',
  index: 'carried',
  sort: 'carried',
  locale: 'carried',
  num_dim: 'carried',
  embed: 'carried',
  reference: 'carried',
  symbols_to_index: 'carried',
  token_separators: 'carried',
  // Every field may be absent.
  optional: 'fact',
  nested: 'fact',
  nested_array: 'fact',
  drop: 'fact',
  range_index: 'fact',
  async_reference: 'fact',
  vec_dist: 'carried',
  // Vectors are compared without a graph.
  hnsw_params: 'fact',
  cascade_delete: {
    note: 'has no equivalent: a store never deletes from another',
    usual: [false, true],
  },
  store: {
    note: 'is false: the values are not in the export, so no document has them',
    usual: [true],
  },
  infix: {
    note: 'is part of a request or a preset: `infix_mode=always` (`ranking.infix_mode` for the store)',
    usual: [false],
  },
  stem: { note: 'is built in: words are found in all their inflections', usual: [false] },
  stem_dictionary: {
    note: 'has no equivalent: inflections come from the language; add others to a synonym set',
  },
  truncate_len: {
    note: 'has no equivalent: values are compared whole',
    usual: [100],
  },
}

export const TYPESENSE_SYNONYM: KnownSettings = {
  id: 'carried',
  root: 'carried',
  synonyms: 'carried',
  locale: { note: '`locale` has no equivalent: a set applies whatever the language of a field' },
  symbols_to_index: { note: '`symbols_to_index` has no equivalent in a set: set it for the store' },
}

export const TYPESENSE_OVERRIDE: KnownSettings = {
  id: 'carried',
  rule: 'carried',
  includes: 'carried',
  excludes: 'carried',
  filter_by: 'carried',
  sort_by: 'carried',
  replace_query: 'carried',
  remove_matched_tokens: 'carried',
  effective_from_ts: 'carried',
  effective_to_ts: 'carried',
  metadata: 'carried',
  filter_curated_hits: 'carried',
  stop_processing: { note: '`stop_processing` has no equivalent', usual: [false] },
  diversity: { note: '`diversity` has no equivalent' },
}

export const TYPESENSE_CONDITION: KnownSettings = {
  query: 'carried',
  match: 'carried',
  filter_by: 'carried',
  tags: 'carried',
}

export const TYPESENSE_STOPWORDS: KnownSettings = {
  id: 'carried',
  stopwords: 'carried',
  locale: { note: '`locale` has no equivalent: a set applies whatever the language of a field' },
}
