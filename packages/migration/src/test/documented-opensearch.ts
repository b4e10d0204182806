import type { Documented } from './documented.ts'

const all = (where: string, names: readonly string[], value: unknown, outcome: Documented[3]) =>
  names.map((name) => [where, name, value, outcome] as const)

/**
 * https://docs.opensearch.org/latest/field-types/ and /install-and-configure/configuring-opensearch/
 * index-settings/, https://docs.opensearch.org/latest/analyzers/
 */
export const OPENSEARCH_DOCUMENTED: readonly Documented[] = [
  ['index', 'aliases', { shop: {} }, 'reported'],
  ['index', 'data_stream', 'logs', 'reported'],
  ['index', 'somethingNew', true, 'reported'],
  ['mappings', '_source', { enabled: false }, 'refused'],
  ['mappings', '_source', { excludes: ['cost'] }, 'reported'],
  ['mappings', '_source', { includes: ['title'] }, 'reported'],
  ['mappings', '_meta', { owner: 'me' }, 'reported'],
  ['mappings', '_routing', { required: true }, 'reported'],
  ['mappings', '_size', { enabled: true }, 'reported'],
  ['mappings', '_field_names', { enabled: false }, 'fact'],
  ['mappings', 'dynamic', 'strict', 'reported'],
  ['mappings', 'dynamic_templates', [{ texts: {} }], 'reported'],
  ['mappings', 'dynamic_date_formats', ['yyyy'], 'reported'],
  ['mappings', 'date_detection', false, 'fact'],
  ['mappings', 'numeric_detection', true, 'fact'],
  ['mappings', 'runtime', { day: { type: 'long' } }, 'reported'],
  ['mappings', 'derived', { day: { type: 'long' } }, 'reported'],
  ['mappings', 'properties', {}, 'refused'],
  ['mappings', 'somethingNew', true, 'reported'],

  ['field', 'type', 'keyword', 'carried'],
  ['field', 'type', 'flat_object', 'carried'],
  ...['alias', 'binary', 'completion', 'dense_vector', 'geo_shape', 'integer_range', 'join']
    .concat(['knn_vector', 'percolator', 'rank_feature', 'rank_features', 'sparse_vector'])
    .concat(['star_tree', 'token_count', 'unsigned_long', 'xy_point', 'histogram', 'shape'])
    .map((type) => ['field', 'type', type, 'reported'] as const),
  ['field', 'index', false, 'carried'],
  ['field', 'analyzer', 'german', 'carried'],
  ['field', 'analyzer', 'mine', 'reported'],
  ['field', 'fields', { raw: { type: 'keyword' } }, 'carried'],
  ['field', 'fields', { raw: { type: 'completion' } }, 'reported'],
  ['field', 'fields', { raw: { type: 'keyword', ignore_above: 10 } }, 'reported'],
  ['field', 'search_analyzer', 'mine', 'reported'],
  ['field', 'search_quote_analyzer', 'mine', 'reported'],
  ['field', 'normalizer', 'lower', 'reported'],
  ['field', 'boost', 2, 'reported'],
  ['field', 'coerce', false, 'reported'],
  ['field', 'copy_to', 'all', 'reported'],
  ['field', 'dynamic', false, 'reported'],
  ['field', 'enabled', false, 'reported'],
  ['field', 'format', 'dd/MM/yyyy', 'reported'],
  ['field', 'ignore_above', 100, 'reported'],
  ['field', 'ignore_malformed', true, 'reported'],
  ['field', 'include_in_parent', true, 'reported'],
  ['field', 'include_in_root', true, 'reported'],
  ['field', 'index_prefixes', { min_chars: 1 }, 'reported'],
  ['field', 'locale', 'de', 'reported'],
  ['field', 'meta', { unit: 'ms' }, 'reported'],
  ['field', 'norms', false, 'reported'],
  ['field', 'null_value', 'none', 'reported'],
  ['field', 'path', 'other', 'reported'],
  ['field', 'position_increment_gap', 1, 'reported'],
  ['field', 'script', 'emit(1)', 'reported'],
  ['field', 'similarity', 'boolean', 'reported'],
  ['field', 'split_queries_on_whitespace', true, 'reported'],
  ['field', 'subobjects', false, 'reported'],
  ['field', 'value', 'a', 'reported'],
  ...all(
    'field',
    ['doc_values', 'eager_global_ordinals', 'fielddata', 'store', 'term_vector'],
    true,
    'fact',
  ),
  ...all('field', ['index_options', 'index_phrases', 'max_shingle_size'], 'docs', 'fact'),
  ['field', 'somethingNew', true, 'reported'],

  ...all(
    'settings',
    ['number_of_shards', 'number_of_replicas', 'refresh_interval', 'codec', 'uuid', 'version'],
    '1',
    'fact',
  ),
  ...all(
    'settings',
    ['creation_date', 'provided_name', 'translog', 'merge', 'routing'],
    '1',
    'fact',
  ),
  ...all('settings', ['mapping', 'highlight', 'soft_deletes', 'hidden'], '1', 'fact'),
  ['settings', 'similarity', { mine: { type: 'BM25', b: 0 } }, 'reported'],
  ['settings', 'sort', { field: 'price' }, 'reported'],
  ['settings', 'sort.field', 'price', 'reported'],
  ['settings', 'query', { default_field: ['title'] }, 'reported'],
  ['settings', 'max_result_window', '50000', 'reported'],
  ['settings', 'default_pipeline', 'mine', 'reported'],
  ['settings', 'final_pipeline', 'mine', 'reported'],
  ['settings', 'search', { default_pipeline: 'mine' }, 'reported'],
  ['settings', 'knn', 'true', 'fact'],
  ['settings', 'mode', 'time_series', 'reported'],
  ['settings', 'lifecycle', { name: 'old' }, 'reported'],
  ['settings', 'blocks', { write: 'true' }, 'reported'],
  ['settings', 'somethingNew', 'true', 'reported'],

  ['analysis', 'analyzer', { default: { type: 'german' } }, 'carried'],
  ['analysis', 'analyzer', { mine: { type: 'custom', tokenizer: 'standard' } }, 'reported'],
  ['analysis', 'tokenizer', { mine: { type: 'ngram' } }, 'reported'],
  ['analysis', 'char_filter', { mine: { type: 'mapping', mappings: ['a=>b'] } }, 'reported'],
  ['analysis', 'normalizer', { mine: { filter: ['lowercase'] } }, 'reported'],
  ['analysis', 'somethingNew', { mine: {} }, 'reported'],
  ['filter', 'mine', { type: 'synonym', synonyms: ['tv, television'] }, 'carried'],
  ['filter', 'mine', { type: 'synonym_graph', synonyms: ['a => b => c'] }, 'reported'],
  ['filter', 'mine', { type: 'synonym', synonyms_path: 'words.txt' }, 'reported'],
  ['filter', 'mine', { type: 'synonym', synonyms_set: 'words' }, 'reported'],
  ['filter', 'mine', { type: 'synonym', synonyms: ['a, b'], expand: false }, 'reported'],
  ['filter', 'mine', { type: 'synonym', synonyms: ['a, b'], format: 'wordnet' }, 'reported'],
  ['filter', 'mine', { type: 'stop', stopwords: ['please'] }, 'carried'],
  ['filter', 'mine', { type: 'stop', stopwords: 'please, thanks' }, 'carried'],
  ['filter', 'mine', { type: 'stop', stopwords: '_english_' }, 'reported'],
  ['filter', 'mine', { type: 'stop', stopwords_path: 'words.txt' }, 'reported'],
  ['filter', 'mine', { type: 'stemmer', language: 'german' }, 'carried'],
  ['filter', 'mine', { type: 'stemmer', language: 'klingon' }, 'reported'],
  ['filter', 'mine', { type: 'snowball', language: 'French' }, 'carried'],
  ...['lowercase', 'asciifolding', 'unique', 'trim', 'flatten_graph', 'decimal_digit'].map(
    (type) => ['filter', 'mine', { type }, 'fact'] as const,
  ),
  ...['edge_ngram', 'ngram', 'shingle', 'elision', 'keyword_marker', 'stemmer_override']
    .concat(['phonetic', 'word_delimiter', 'word_delimiter_graph', 'dictionary_decompounder'])
    .concat(['hyphenation_decompounder', 'hunspell', 'kstem', 'porter_stem', 'length', 'limit'])
    .concat([
      'pattern_replace',
      'pattern_capture',
      'truncate',
      'reverse',
      'multiplexer',
      'fingerprint',
    ])
    .concat(['condition', 'predicate_token_filter', 'common_grams', 'cjk_bigram', 'somethingNew'])
    .map((type) => ['filter', 'mine', { type }, 'reported'] as const),
]
