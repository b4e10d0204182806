/** The limits of searches by meaning, and of filters that are read in queries. */

/** Words of a query in which values of fields are looked for; longer ones have none. */
export const INTERPRETED_WORDS_MAX = 16
/** Fields whose values are looked for in a query. */
export const INTERPRETED_FIELDS_MAX = 8
/** Values of a field that begin like words of the query and are compared with them. */
export const INTERPRETED_VALUES_MAX = 1_000
/** Readings that are considered for a query. */
export const INTERPRETED_READINGS_MAX = 8
/** Embedders of an installation. */
export const EMBEDDERS_MAX = 16
export const EMBEDDER_NAME_MAX_CHARS = 40
/** Failures in a row after which an embedder is left alone for a while. */
export const EMBEDDER_FAILURES_MAX = 5
/** The longest such while; the first is a second. */
export const EMBEDDER_BREAK_MAX_MS = 60_000
/** Texts in one call of an embedder. */
export const EMBEDDING_TEXTS_MAX = 256
/** Characters of a document that a model reads. */
export const EMBEDDED_TEXT_MAX_CHARS = 2_000
/** Fields of a document that a model reads. */
export const SEMANTIC_FIELDS_MAX = 10
/** Time that a search waits for the vector of its query. */
export const QUERY_VECTOR_BUDGET_DEFAULT_MS = 50
/** Cached vectors of queries, in each serving thread and in that of the embedders. */
export const QUERY_VECTOR_CACHE_MAX_BYTES = 16_000_000
/** Queries that wait for an embedder. */
export const QUERY_VECTORS_WAITING_MAX = 256
/** The same of one store. */
export const QUERY_VECTORS_WAITING_PER_STORE_MAX = 64
/** Calls of `embed` that an embedder has at the same time, waiting ones included. */
export const EMBEDDING_CALLS_WAITING_MAX = 64
/** Words of a missed search for which the catalog's words are looked through. */
export const MEANT_SYNONYM_PHRASES_MAX = 4
/** Products, nearest to such a word, whose words are compared with it. */
export const MEANT_SYNONYM_PRODUCTS = 64
/** Words of these products that are compared. */
export const MEANT_SYNONYM_WORDS_MAX = 100
/** Synonyms by meaning that are proposed for a word. */
export const MEANT_SYNONYMS_MAX = 5
/** The least similarity of such a synonym. */
export const MEANT_SYNONYM_MIN_SIMILARITY = 0.5
/** Pairs that are shown for calibration, and queries that they come from. */
export const SIMILARITY_PAIRS_DEFAULT = 60
export const SIMILARITY_PAIRS_MAX = 200
export const SIMILARITY_QUERIES_MAX = 40
/** Time to find and compare them. */
export const SIMILARITY_PAIRS_MAX_MS = 8_000
