import type { KnownSettings } from './fate.ts'

/** Members of the answer of `GET /x`. */
export const OPENSEARCH_INDEX: KnownSettings = {
  mappings: 'carried',
  settings: 'carried',
  aliases: {
    note: 'have no equivalent: `aisle reindex` builds a second store and swaps the two, `aisle store swap` swaps by hand',
  },
  defaults: 'fact',
  data_stream: { note: 'has no equivalent: a store is a catalog, not a log' },
  warmers: 'fact',
}

/** https://docs.opensearch.org/latest/field-types/ */
export const OPENSEARCH_MAPPING: KnownSettings = {
  properties: 'carried',
  _source: 'carried',
  dynamic: {
    note: 'has no equivalent for the whole store: a pattern such as `specs.*` adds the fields of one object',
    usual: [true, 'true'],
  },
  dynamic_templates: {
    note: 'have no equivalent: the fields that documents have now came over; `specs.*` adds later ones of one object',
  },
  dynamic_date_formats: { note: 'have no equivalent' },
  date_detection: 'fact',
  numeric_detection: 'fact',
  runtime: { note: 'is left out: fields are not computed; put the value into the documents' },
  derived: { note: 'is left out: fields are not computed; put the value into the documents' },
  _meta: { note: 'has no equivalent: stores have no custom metadata' },
  _routing: { note: 'has no equivalent: stores have no routing', usual: [{ required: false }] },
  _field_names: 'fact',
  _size: { note: 'has no equivalent' },
  _doc_count: 'fact',
  _data_stream_timestamp: 'fact',
  _tier: 'fact',
  subobjects: {
    note: 'has no equivalent: `brand.name` is the member `name` of `brand`',
    usual: [true],
  },
  enabled: { note: 'is false: nothing of the documents was indexed there', usual: [true] },
}

const STORED = 'fact'

/** Parameters of a field. */
/** `knn_vector` of OpenSearch, `dense_vector` of Elasticsearch. */
export const OPENSEARCH_VECTOR: KnownSettings = {
  type: 'carried',
  dimension: 'carried',
  dims: 'carried',
  method: 'carried',
  space_type: 'carried',
  similarity: 'carried',
  // Storage and graphs: all vectors are compared here.
  ...Object.fromEntries(
    [
      'compression_level',
      'data_type',
      'doc_values',
      'element_type',
      'engine',
      'index',
      'index_options',
      'mode',
      'model_id',
      'store',
    ].map((name) => [name, 'fact' as const]),
  ),
  meta: { note: 'has no equivalent: fields have no custom metadata' },
}

export const OPENSEARCH_FIELD: KnownSettings = {
  type: 'carried',
  properties: 'carried',
  fields: 'carried',
  index: 'carried',
  analyzer: 'carried',
  search_analyzer: {
    note: 'has no equivalent: queries and documents are tokenized alike',
  },
  search_quote_analyzer: { note: 'has no equivalent' },
  normalizer: {
    note: 'has no equivalent: values are compared without case and accents anyway',
  },
  path: { note: 'has no equivalent' },
  boost: { note: 'has no equivalent in the schema: set `ranking.field_weights`', usual: [1] },
  copy_to: {
    note: 'is built in: a search covers all searchable fields, or those of `search_fields`',
  },
  coerce: { note: 'has no equivalent: a value must have the type of its field', usual: [true] },
  ignore_malformed: {
    note: 'has no equivalent: a document with a wrong value is refused, and named',
    usual: [false],
  },
  ignore_above: {
    note: 'has no equivalent: long values are kept and compared whole',
    usual: [256, 2147483647],
  },
  null_value: { note: 'has no equivalent: a field without a value stays empty' },
  value: { note: 'has no equivalent: put the value into the documents' },
  enabled: { note: 'is false: its members are left out unless they are fields', usual: [true] },
  dynamic: {
    note: 'has no equivalent for fields: `specs.*` in schema.yaml adds what documents bring',
    usual: [true, 'true'],
  },
  format: {
    note: 'has no equivalent: dates are ISO 8601, or seconds since 1970',
    usual: [
      'strict_date_optional_time||epoch_millis',
      'strict_date_time_no_millis||strict_date_optional_time||epoch_millis',
      'strict_date_optional_time',
      'date_optional_time||epoch_millis',
      'epoch_millis',
      'strict_date',
      'date',
      'yyyy-MM-dd',
    ],
  },
  locale: { note: 'has no equivalent' },
  similarity: { note: 'has no equivalent: see docs/ranking.md', usual: ['BM25'] },
  scaling_factor: 'fact',
  include_in_parent: {
    note: 'is built in: `variants.color:=red` asks for any element',
    usual: [false],
  },
  include_in_root: {
    note: 'is built in: `variants.color:=red` asks for any element',
    usual: [false],
  },
  index_prefixes: { note: 'is built in: the last word is always a prefix' },
  index_phrases: 'fact',
  max_shingle_size: 'fact',
  position_increment_gap: { note: 'has no equivalent', usual: [100] },
  split_queries_on_whitespace: { note: 'has no equivalent', usual: [false] },
  depth_limit: { note: 'has no equivalent: the maximum is 16', usual: [20] },
  ignore_z_value: STORED,
  subobjects: {
    note: 'has no equivalent: `brand.name` is the member `name` of `brand`',
    usual: [true],
  },
  meta: { note: 'has no equivalent: fields have no custom metadata' },
  script: { note: 'has no equivalent: put the value into the documents' },
  on_script_error: STORED,
  // Storage of values, which answers do not depend on.
  doc_values: STORED,
  eager_global_ordinals: STORED,
  fielddata: STORED,
  fielddata_frequency_filter: STORED,
  index_options: STORED,
  norms: {
    note: 'has no equivalent: the length of a text always counts',
    usual: [true],
  },
  store: STORED,
  skip_list: STORED,
  term_vector: STORED,
  time_series_dimension: STORED,
  time_series_metric: STORED,
}

/** Members of `settings.index`: https://docs.opensearch.org/latest/install-and-configure/configuring-opensearch/index-settings/ */
export const OPENSEARCH_SETTINGS: KnownSettings = {
  analysis: 'carried',
  similarity: { note: 'has no equivalent: see docs/ranking.md' },
  sort: { note: 'has no equivalent: set `ranking.sort_by` for the order of results' },
  query: { note: 'has no equivalent: set `ranking.field_weights`, or `search_fields` in a preset' },
  max_result_window: {
    note: 'has no equivalent: every page of the results is available',
    usual: [10_000, '10000'],
  },
  default_pipeline: {
    note: 'has no equivalent: change documents before you send them',
    usual: ['_none'],
  },
  final_pipeline: {
    note: 'has no equivalent: change documents before you send them',
    usual: ['_none'],
  },
  search: { note: 'has no equivalent: see presets and rules in docs/settings.md' },
  lifecycle: { note: 'has no equivalent: a store is a catalog, not a log' },
  blocks: { note: 'has no equivalent' },
  mode: { note: 'has no equivalent', usual: ['standard'] },
  knn: 'fact',
  'knn.algo_param': 'fact',
  // Storage and placement of the index in the cluster, which answers do not depend on.
  ...Object.fromEntries(
    [
      'allocation',
      'analyze',
      'auto_expand_replicas',
      'codec',
      'compound_format',
      'creation_date',
      'creation_date_string',
      'derived_source',
      'fetch_phase',
      'format',
      'gc_deletes',
      'hidden',
      'highlight',
      'history',
      'history_uuid',
      'indexing',
      'load_fixed_bitset_filters_eagerly',
      'mapper',
      'mapping',
      'max_adjacency_matrix_filters',
      'max_docvalue_fields_search',
      'max_inner_result_window',
      'max_ngram_diff',
      'max_refresh_listeners',
      'max_regex_length',
      'max_rescore_window',
      'max_script_fields',
      'max_shingle_diff',
      'max_slices_per_scroll',
      'max_terms_count',
      'merge',
      'number_of_replicas',
      'number_of_routing_shards',
      'number_of_shards',
      'optimize_auto_generated_id',
      'priority',
      'provided_name',
      'recovery',
      'refresh_interval',
      'remote_store',
      'replication',
      'routing',
      'routing_partition_size',
      'shard',
      'soft_deletes',
      'store',
      'translog',
      'unassigned',
      'uuid',
      'verified_before_close',
      'version',
      'warmer',
      'write',
    ].map((name) => [name, STORED] as const),
  ),
}

/** Members of `analysis`. */
export const OPENSEARCH_ANALYSIS: KnownSettings = {
  filter: 'carried',
  analyzer: 'carried',
  tokenizer: {
    note: 'has no equivalent: texts are tokenized by the rules of docs/ranking.md and docs/symbols.md',
  },
  char_filter: {
    note: 'has no equivalent: change texts before you send them',
  },
  normalizer: {
    note: 'is built in: values are compared without case and accents',
  },
}

/** Token filters, by type. */
export const OPENSEARCH_FILTERS: KnownSettings = {
  synonym: 'carried',
  synonym_graph: 'carried',
  stop: 'carried',
  stemmer: 'carried',
  snowball: 'carried',
  // Steps that every text goes through here.
  ...Object.fromEntries(
    [
      'lowercase',
      'asciifolding',
      'icu_folding',
      'icu_normalizer',
      'cjk_width',
      'decimal_digit',
      'trim',
      'unique',
      'remove_duplicates',
      'flatten_graph',
      'apostrophe',
      'german_normalization',
      'scandinavian_folding',
    ].map((name) => [name, STORED] as const),
  ),
  elision: { note: 'is built in: `l’avion` is found by `avion` in French' },
  edge_ngram: { note: 'is built in: the last word of a query is always a prefix' },
  ngram: { note: 'is `infix_mode: always`, in a request, a preset or `ranking.infix_mode`' },
  keyword_marker: { note: 'has no equivalent: every word is found in its inflections' },
  stemmer_override: { note: 'has no equivalent: put the pairs into a synonym set' },
  phonetic: { note: 'has no equivalent: typos are tolerated' },
  word_delimiter: {
    note: 'has no equivalent: letters and digits find each other written together or apart; see docs/symbols.md for signs',
  },
  word_delimiter_graph: {
    note: 'has no equivalent: letters and digits find each other written together or apart; see docs/symbols.md for signs',
  },
  shingle: { note: 'is built in: joined and split spellings find each other' },
  dictionary_decompounder: {
    note: 'has no equivalent: compounds are split in languages that have them',
  },
  hyphenation_decompounder: {
    note: 'has no equivalent: compounds are split in languages that have them',
  },
  hunspell: { note: 'has no equivalent: inflections come from the language' },
}

/** Members of a synonym filter, and of a stop filter. */
export const OPENSEARCH_SYNONYM_FILTER: KnownSettings = {
  type: 'carried',
  synonyms: 'carried',
  synonyms_path: 'carried',
  synonyms_set: { note: 'is a set of the cluster: put its synonyms into a synonym set' },
  format: { note: 'is `wordnet`: its lines are left out', usual: ['solr'] },
  expand: {
    note: 'is false: here all words of a line find each other; give the item a `root`',
    usual: [true, 'true'],
  },
  lenient: 'fact',
  updateable: 'fact',
  tokenizer: 'fact',
}

export const OPENSEARCH_STOP_FILTER: KnownSettings = {
  type: 'carried',
  stopwords: 'carried',
  stopwords_path: { note: 'is a file of the cluster: put its words into a stopword set' },
  ignore_case: 'fact',
  remove_trailing: { note: 'has no equivalent', usual: [true, 'true'] },
}
