/**
 * Every limit of the interface, by name, with its unit last. OpenAPI, code and tests use these
 * names.
 */
export const PER_PAGE_MAX = 250
export const PER_PAGE_DEFAULT = 10
export const QUERIES_PER_MULTI_SEARCH_MAX = 10
export const QUERY_LENGTH_MAX_CHARS = 1_000
/**
 * Distinct words of a query that are searched; further words are ignored with a warning. Scoring
 * counts them in five bits.
 */
export const QUERY_WORDS_MAX = 31
/** Phrases and exclusions of a query together; further ones are ignored with a warning. */
export const QUERY_CONDITIONS_MAX = 31
export const TYPO_MAX = 2
export const TYPO_MIN_LEN_1_DEFAULT_CHARS = 4
export const TYPO_MIN_LEN_2_DEFAULT_CHARS = 7
export const SNIPPET_TOKEN_LIMIT_DEFAULT = 30
export const FILTER_CLAUSES_MAX = 100
export const FILTER_LEVELS_MAX = 32
export const POLYGON_CORNERS_MAX = 1_000
export const SORT_KEYS_MAX = 8
/** N of `_text_match(buckets: N)`. */
export const TEXT_MATCH_BUCKETS_MAX = 1_000
export const FACET_VALUES_DEFAULT = 100
export const FACET_VALUES_MAX = 10_000
export const FACET_FIELDS_MAX = 64
export const GROUP_FIELDS_MAX = 3
export const GROUP_LIMIT_DEFAULT = 3
export const GROUP_LIMIT_MAX = 99
export const DOCUMENT_ID_MAX_BYTES = 512
export const STORE_ID_MAX_CHARS = 64
export const STORE_NAME_MAX_CHARS = 200
export const SCHEMA_FIELDS_MAX = 500
/** Fields that patterns such as `specs.*` may add to a schema. */
export const PATTERN_FIELDS_MAX = 250
/** Elements of all `object[]` fields of a document together. */
export const OBJECT_ELEMENTS_MAX = 5_000
/** Numbers of a vector. */
export const VECTOR_DIMENSIONS_MIN = 8
export const VECTOR_DIMENSIONS_MAX = 4_096
export const FIELD_NAME_MAX_CHARS = 128
/** Keys of one object in the body of a request, or in a document. */
export const OBJECT_KEYS_MAX = 5_000
/** Unknown parameters that a request ignores; with more, it is refused. */
export const UNKNOWN_PARAMETERS_MAX = 100
export const SEARCH_BODY_MAX_BYTES = 1_000_000
export const DOCUMENT_MAX_BYTES = 1_000_000
export const BULK_BODY_MAX_BYTES = 100_000_000
/** Connections per address (IPv6: per /64 network) over all threads, unless configured. */
export const CONNECTIONS_PER_ADDRESS_DEFAULT = 1_000
export const CONNECTIONS_PER_THREAD_MAX = 20_000
/** Connections of a thread that wait to be accepted; clients of further ones try again later. */
export const CONNECTIONS_WAITING_MAX = 4_096
/** A request must send its head within this time, plus a second. */
export const HEAD_MAX_MS = 5_000
/**
 * A connection slower than this while a body or an answer is in transit is closed: bodies after …
 */
export const TRANSFER_MIN_BYTES_PER_SECOND = 1_000
export const BODY_WINDOW_MAX_MS = 10_000
/** … an NDJSON bulk after … */
export const BULK_WINDOW_MAX_MS = 30_000
/** … and answers after this time. */
export const ANSWER_WINDOW_MAX_MS = 30_000
/** Memory of large responses until they are read, over all threads, unless configured … */
export const UNREAD_ANSWERS_DEFAULT_MEGABYTES = 256
/** … a store's share of it … */
export const UNREAD_ANSWERS_STORE_PERCENT = 50
/** … and the part of it above which a thread closes connections that read nothing. */
export const UNREAD_ANSWERS_STALLED_PERCENT = 25
/** Responses up to this size are not counted: the system's buffers take them. */
export const ANSWER_FREE_BYTES = 65_536
/** A refused body is read for this long, so that the client can read the error. */
export const UNREAD_BODY_MAX_MS = 30_000
/** An export that takes longer continues from a newer snapshot. */
export const EXPORT_MOMENT_MAX_MS = 50_000
/** Concurrent live tails, and concurrent exports, per store over all threads. */
export const STREAMS_PER_STORE_MAX = 2
/** Maximum duration of a live tail or an export. */
export const STREAM_MAX_MS = 14_400_000
/** Concurrent exports per serving thread. */
export const EXPORTS_PER_THREAD_MAX = 64
export const JSON_DEPTH_MAX = 32
export const REQUEST_ID_MAX_CHARS = 128
export const ANALYTICS_TAGS_MAX = 20
export const ANALYTICS_TAG_MAX_CHARS = 128
export const KEY_GRACE_DEFAULT_SECONDS = 86_400
export const KEY_GRACE_MAX_SECONDS = 604_800
/** Smaller stores are loaded as usual on a cluster: a separate index would gain little. */
export const BULK_LOAD_MIN_BYTES = 100_000_000
export const RATE_LIMIT_DEFAULT_PER_SECOND = 2_000
/** Requests per second of one client address without a valid key, unless configured. */
export const PAGE_RATE_LIMIT_DEFAULT_PER_SECOND = 500
/** A client without a key that sends more is refused after a pause. */
export const REFUSAL_PAUSE_MS = 200
/** Pages of the demo shop that a serving thread keeps rendered … */
export const RENDERED_PAGES_MAX_BYTES = 8_000_000
/** … pages that it renders at the same time … */
export const RENDERINGS_PER_THREAD_MAX = 4
/** … and in a second. Browsers render the others. */
export const RENDERINGS_PER_SECOND_MAX = 10
/** A search or another read that would wait longer for its thread is refused … */
export const READ_WAIT_MAX_MS = 150
/** … and so is one that has waited this long after all. */
export const READ_WAIT_LATE_MS = 250
/** The same for writes and events, whose clients can wait. */
export const WRITE_WAIT_MAX_MS = 5_000
export const WRITE_WAIT_LATE_MS = 10_000
/** A serving thread whose event loop is blocked for this long is terminated and replaced. */
export const SERVING_HANG_MAX_MS = 10_000
/** The same for a thread shared by all stores (events, suggestions, reports), with longer tasks. */
export const SHARED_THREAD_HANG_MAX_MS = 30_000
/** A search that crashed or hung this many threads within QUARANTINE_SECONDS is refused … */
export const QUARANTINE_DEATHS = 2
/**
 * The same for different searches of one client address in one store: all of its reads are refused
 * …
 */
export const QUARANTINE_ORIGIN_DEATHS = 4
/** … for this long. */
export const QUARANTINE_SECONDS = 600
/** Searches in quarantine at the same time; a further one releases the oldest. */
export const QUARANTINED_REQUESTS_MAX = 64
/** Free disk space that documents and events must leave; on a small disk less: … */
export const DISK_RESERVE_DEFAULT_BYTES = 1_000_000_000
/** … at most this share of it. */
export const DISK_RESERVE_DEFAULT_PERCENT = 5
/** Interval between checks of the free disk space. */
export const DISK_CHECK_MS = 1_000
/** A write that has waited longer for the writer is refused without effect. */
export const WRITE_QUEUE_MAX_MS = 20_000
export const PAGE_MAX = 1_000_000_000
/** Length of a filter, facet or sort expression. */
export const EXPRESSION_MAX_CHARS = 20_000
/** Names in a list of fields. */
export const FIELD_LIST_MAX = 500
export const FIELD_WEIGHT_MAX = 1_000
/** Length of the mark before or after a matched word. */
export const MARK_MAX_CHARS = 64
/** Length of a time zone name or an offset. */
export const TIME_ZONE_MAX_CHARS = 64
export const SNIPPET_TOKEN_LIMIT_MAX = 1_000
/** Suggestions in a search response. */
export const SUGGESTIONS_MAX = 10
export const TYPO_MIN_LEN_MAX_CHARS = 100
export const SET_NAMES_MAX = 20
/** Length of the name of a set or a preset. */
export const RESOURCE_NAME_MAX_CHARS = 128
export const SYNONYM_ITEMS_MAX = 10_000
/** Texts in one entry of a synonym set. */
export const SYNONYMS_PER_ITEM_MAX = 100
export const SYNONYM_MAX_CHARS = 100
/** Synonyms of one query word; further ones are ignored with a warning. */
export const SYNONYMS_PER_WORD_MAX = 32
export const STOPWORDS_PER_SET_MAX = 10_000
export const STOPWORD_MAX_CHARS = 100
/** Size of one store's settings with their history, sets, presets and rules, as JSON. */
export const RESOURCES_MAX_BYTES = 16_000_000
export const SYNONYM_SETS_MAX = 100
/** Days of traffic that suggested synonyms are based on. */
export const SYNONYM_SUGGESTION_DAYS_DEFAULT = 90
export const SYNONYM_SUGGESTION_DAYS_MAX = 365
/** Suggested synonyms per response. */
export const SYNONYM_SUGGESTIONS_DEFAULT = 50
export const SYNONYM_SUGGESTIONS_MAX = 200
/** Pairs of phrases looked up in the catalog per response. */
export const SYNONYM_PAIRS_CHECKED_MAX = 200
/** Rejected synonyms that a store remembers; then the oldest is dropped. */
export const SYNONYM_REJECTIONS_MAX = 1_000
export const STOPWORD_SETS_MAX = 100
export const PRESETS_MAX = 1_000
export const LANGUAGE_MAX_CHARS = 35
/** Characters that a store, or a field, indexes as symbols. */
export const SYMBOLS_TO_INDEX_MAX = 50
export const TOKEN_SEPARATORS_MAX = 50
export const CORS_ORIGINS_MAX = 100
/** Length of a scoped token; Node limits all headers to 16 kB. */
export const TOKEN_MAX_CHARS = 8_000
/** Parameters, or origins, in a scoped token. */
export const TOKEN_LIST_MAX = 100
/** Documents that the events of one request with a scoped token are checked for. */
export const TOKEN_EVENT_DOCUMENTS_MAX = 1_000
export const ORIGIN_MAX_CHARS = 300
export const CACHE_TTL_DEFAULT_SECONDS = 60
export const CACHE_TTL_MAX_SECONDS = 86_400
export const CACHE_MAX_BYTES_DEFAULT = 16_000_000
export const CACHE_MAX_BYTES_MAX = 1_000_000_000
/** Memory for cached answers of all stores together. */
export const CACHE_DEFAULT_MEGABYTES = 256
/** Memory for the indexes of small stores; beyond it, idle ones are closed. */
export const SMALL_STORES_DEFAULT_MEGABYTES = 256
/** A store with more documents is not small: its index stays open. */
export const SMALL_STORE_DOCUMENTS = 10_000
/** Searches that take at least this long are listed as slow. */
export const SLOW_SEARCH_MIN_MS = 200
export const SLOW_SEARCHES_KEPT_MAX = 50
/** Length of a query in that list. */
export const SLOW_SEARCH_QUERY_MAX_CHARS = 200
/** Lines about requests in the log, per serving thread; further ones only if slow or failed. */
export const REQUEST_LINES_PER_SECOND_MAX = 100
/** Refusals kept, one per reason and store. */
export const REFUSALS_KEPT_MAX = 200
/** Searches in one comparison of a draft with the live settings. */
export const COMPARED_SEARCHES_MAX = 10
/** Sets, or rules, in a draft. */
export const DRAFT_RESOURCES_MAX = 100
export const PUBLISH_NOTE_MAX_CHARS = 500
export const QUERY_SETS_MAX = 50
export const QUERIES_PER_QUERY_SET_MAX = 1_000
export const JUDGMENTS_PER_QUERY_MAX = 200
/** Best grade of a document for a query; the worst is 0. */
export const GRADE_MAX = 3
/** Versions of the settings that are kept; a new one drops the oldest. */
export const SETTINGS_VERSIONS_MAX = 50
export const RULE_CONTEXTS_MAX = 20
export const RULES_MAX = 5_000
/**
 * Rules that apply to one search; further ones, with lower priority, are ignored with a warning.
 */
export const RULES_PER_SEARCH_MAX = 100
/** Conditions in `when` of a rule. */
export const RULE_CONDITIONS_MAX = 25
/** Pinned documents of a rule, and of all rules that apply to one search. */
export const RULE_PINS_MAX = 300
export const RULE_POSITION_MAX = 10_000
/** Hidden documents of a rule, and of all rules that apply to one search. */
export const RULE_HIDDEN_MAX = 1_000
/** Boosts of a rule, and of all rules that apply to one search. */
export const RULE_BOOSTS_MAX = 50
/**
 * Maximum factor on the score, also for all factors of a document together; the minimum is its
 * inverse.
 */
export const RULE_BOOST_WEIGHT_MAX = 1_000
export const RULE_PRIORITY_MAX = 1_000_000
export const RULE_SCHEDULE_WINDOWS_MAX = 20
export const RULE_REMOVED_TEXTS_MAX = 100
/** Length of the text of a condition, and of a text in `remove_words`. */
export const RULE_TEXT_MAX_CHARS = 200
export const RULE_DESCRIPTION_MAX_CHARS = 1_000
export const RULE_URL_MAX_CHARS = 2_000
/** Queries in one preview of a rule. */
export const RULE_PREVIEW_QUERIES_MAX = 250
/** Size of `banner`, `redirect` and `metadata` of a rule together, as JSON. */
export const RULE_METADATA_MAX_BYTES = 16_000
/** Upper bound of the `search_timeout_ms` that a service allows (`AISLE_SEARCH_TIMEOUT_MAX_MS`). */
export const SEARCH_TIMEOUT_MAX_MS = 10_000
/** Documents per batch of a bulk; each batch is one commit. */
export const BULK_BATCH_MAX = 500
/** Values of all clauses of a filter together: list items, and words of a value. */
export const FILTER_VALUES_MAX = 10_000
/** Intervals (hours, days …) between the first and the last of a facet by calendar interval. */
export const FACET_INTERVALS_MAX = 10_000
export const FACET_RANGES_MAX = 250
/** Applies to searches without `search_timeout_ms`; also the default maximum of a service. */
export const SEARCH_TIMEOUT_DEFAULT_MS = 2_000
/** Length of one response, with all searches of a multi-search together. */
export const ANSWER_MAX_CHARS = 32_000_000
/**
 * Length of the highlights and snippets of one search together; further ones are left out with a
 * warning.
 */
export const MARKS_MAX_CHARS = 2_000_000
/**
 * An export, a deletion or an update by filter whose documents are not found within this time ends
 * with an error, and nothing was changed.
 */
export const FILTER_TIMEOUT_MS = 60_000
/** A request yields to other requests after this time on its thread. */
export const TURN_MAX_MS = 10
/** Requests of a store that may have begun on a thread and wait for their next turn … */
export const PAUSED_PER_STORE_MAX = 4
/** … and of all stores together. Further requests begin when one of them ends. */
export const PAUSED_PER_THREAD_MAX = 64
/** Events per `/analytics/batch`. */
export const EVENTS_PER_BATCH_MAX = 100
/** Body of an event request as JSON, after inflating: the largest batch that stock clients send. */
export const EVENT_BATCH_MAX_BYTES = 524_288
/** A gzip body of events may inflate to this many times its size … */
export const EVENT_INFLATION_MAX = 20
/** … or to this size, which a small batch of similar events needs. */
export const EVENT_INFLATION_FREE_BYTES = 65_536
/** Size of one event as compact JSON. */
export const EVENT_MAX_BYTES = 32_768
export const EVENT_AGE_MAX_DAYS = 400
/** A corrected time further in the future than this is wrong; the time of receipt replaces it. */
export const EVENT_AHEAD_MAX_MS = 300_000
export const EVENT_NAME_MAX_CHARS = 128
/** Length of the message, user, anonymous and session ids of events. */
export const EVENT_ID_MAX_CHARS = 256
/** Window of the deduplication by message id. */
export const MESSAGE_ID_WINDOW_DAYS = 8
export const EVENT_TAIL_LISTENERS_MAX = 256
/** Bytes of recent events of a store that a new live tail begins with. */
export const EVENT_TAIL_RECENT_BYTES = 65_536
/** Recent events of a store that were not accepted, kept for new live tails. */
export const EVENT_TAIL_RECENT_REFUSED = 100
/** Stores with recent events in memory; the one that has been quiet for longest makes way. */
export const EVENT_TAIL_RECENT_STORES = 500
/** Size of the filters in a search event; longer ones are dropped. */
export const SEARCH_EVENT_FILTERS_MAX_BYTES = 8_192
/** Length of a user name. */
export const LOGIN_MAX_CHARS = 128
/** Length of the secret in the link of the first run. */
export const FIRST_RUN_SECRET_MAX_CHARS = 128
export const PASSWORD_MIN_CHARS = 10
export const PASSWORD_MAX_CHARS = 256
export const USERS_MAX = 500
/** Stores that a member has a role in. */
export const STORES_PER_MEMBER_MAX = 1_000
/** Sessions per user; a further one replaces the least recently used. */
export const SESSIONS_PER_USER_MAX = 20
/** An idle session ends after this time. */
export const SESSION_IDLE_MAX_SECONDS = 43_200
/** A session ends after this time, even if it is in use. */
export const SESSION_AGE_MAX_SECONDS = 604_800
/**
 * Failed logins from one address (IPv6: one /64 network) in the window; each further failure
 * doubles the wait.
 */
export const LOGIN_FAILURES_PER_ADDRESS_MAX = 20
/** The same for one login from one address, or from one known device. */
export const LOGIN_FAILURES_PER_USER_MAX = 10
export const LOGIN_WINDOW_SECONDS = 900
/** The wait starts at one second and grows up to this. */
export const LOGIN_WAIT_MAX_SECONDS = 900
export const ADMIN_TOKEN_MIN_CHARS = 32
/**
 * Wrong admin tokens from one address (IPv6: one /64 network) in the window of logins; each further
 * one doubles the time in which wrong tokens are answered with 429. The right token is never
 * refused.
 */
export const ADMIN_TOKEN_FAILURES_MAX = 10
/** The same from all addresses together. */
export const ADMIN_TOKEN_FAILURES_TOTAL_MAX = 1_000
/** That time starts at one second and grows up to this. */
export const ADMIN_TOKEN_WAIT_MAX_SECONDS = 30
/** How long a browser is remembered after a login. */
export const DEVICE_AGE_MAX_SECONDS = 15_552_000
/** Password checks in the queue; a further one is answered with 503. */
export const PASSWORD_CHECKS_WAITING_MAX = 32
/** Precision of times of last use. */
export const LAST_USE_PRECISION_SECONDS = 60
/** Entries of the audit log about administration and users; a new one evicts the oldest. */
export const AUDIT_ENTRIES_MAX = 100_000
export const AUDIT_DAYS_DEFAULT = 400
export const AUDIT_PAGE_DEFAULT = 50
export const AUDIT_PAGE_MAX = 500
/** The same for store keys; a new entry evicts the oldest of the store with the most entries. */
export const AUDIT_STORE_ENTRIES_MAX = 100_000
/** The same for failed logins and wrong admin tokens. */
export const AUDIT_STRANGER_ENTRIES_MAX = 10_000
/** Kinds of refusals counted separately per minute; further ones share one entry. */
export const AUDIT_REFUSALS_PER_MINUTE_MAX = 100
/** Suggestions per page. A store may configure fewer. */
export const SUGGESTIONS_PER_PAGE_MAX = 100
export const SUGGESTIONS_PER_PAGE_DEFAULT = 10
/** Highest page of suggestions, from 0. */
export const SUGGESTION_PAGE_MAX = 10_000
export const SUGGESTED_CATEGORIES_MAX = 20
export const SUGGESTED_FACETS_MAX = 20
export const SUGGESTED_GROUPS_DEFAULT = 5
/** Values of each facet shown with suggestions. */
export const SUGGESTED_FACET_VALUES_MAX = 10
export const FILTERED_TABS_MAX = 20
export const FILTERED_TAB_LABEL_MAX_CHARS = 200
export const TAB_PRODUCTS_DEFAULT = 10
export const TAB_PRODUCTS_MAX = 100
/** Texts in a block or allow list of suggestions. */
export const SUGGESTION_LIST_MAX = 10_000
export const PINNED_SUGGESTIONS_MAX = 1_000
/** Longer queries are never suggested. */
export const SUGGESTED_QUERY_MAX_CHARS = 80
/** Sessions of one anonymous or user id that count for a query per day. */
export const SUGGESTION_SESSIONS_PER_VISITOR_MAX = 3
/** Sessions of one client address that count for a query per day. */
export const SUGGESTION_SESSIONS_PER_CLIENT_MAX = 100
/** Distinct visitors counted per query, and again for its searches with tags. */
export const SUGGESTION_VISITORS_MAX = 1_000
/** Distinct networks counted per query. */
export const SUGGESTION_NETWORKS_MAX = 16
/** Hits per recommendation. */
export const RECOMMENDATIONS_MAX = 50
export const RECOMMENDATIONS_DEFAULT = 10
/** Products in `ids` of one recommendation. */
export const RECOMMENDATION_IDS_MAX = 10
/** Minimum number of networks with clicks on a document before they count for its popularity. */
export const POPULARITY_NETWORKS_MIN = 3
/**
 * Clicks (and conversions) of one client address that count for a document's popularity per day.
 */
export const POPULARITY_CLICKS_PER_CLIENT_MAX = 1
/** Clicks at lower positions count as one at this position. */
export const POPULARITY_POSITION_MAX = 10
/** Clicks of one network on a document that learning counts for a query; a conversion is three. */
export const LEARNING_CLICKS_PER_NETWORK_MAX = 3
/** Clicks of one network per day that tell learning how often each position is clicked. */
export const LEARNING_PLACES_PER_NETWORK_MAX = 20
/** Default of `ranking.learning_limit`. */
export const LEARNING_LIMIT_DEFAULT = 0.2
/** Rows per report. */
export const REPORT_ROWS_DEFAULT = 100
export const REPORT_ROWS_MAX = 10_000
/** Intervals of a report's period: hours, days or weeks. */
export const REPORT_INTERVALS_MAX = 10_000
/** Events per page of a visitor's journey. */
export const JOURNEY_EVENTS_DEFAULT = 100
export const JOURNEY_EVENTS_MAX = 1_000
/** Bytes of the event log that one page of a journey reads at most. */
export const JOURNEY_PAGE_MAX_BYTES = 4_000_000
export const REPORT_TIMEOUT_MS = 30_000
/** The time limit of a report while another store without a running report waits. */
export const REPORT_SHARED_TIMEOUT_MS = 5_000
/** Reports in the queue of their thread. */
export const REPORTS_WAITING_MAX = 64
/** The same per store. */
export const REPORTS_WAITING_PER_STORE_MAX = 16
/** Unread bytes of the log that a report waits for; with more, it is refused. */
export const REPORT_BACKLOG_MAX_BYTES = 64_000_000
/**
 * Bytes that the event log of a store accepts per day (UTC), search records included; an event
 * takes about 300.
 */
export const EVENT_BYTES_PER_DAY_DEFAULT = 2_000_000_000
export const EVENT_BYTES_PER_DAY_MIN = 1_000_000
export const EVENT_BYTES_PER_DAY_MAX = 1_000_000_000_000
export const EVENT_RETENTION_DEFAULT_DAYS = 400
export const EVENT_RETENTION_MAX_DAYS = 3_660
/** Restores of stores that are kept as history. */
export const RESTORES_MAX = 50
/** Documents that a restore lists because this version does not accept them. */
export const RESTORE_ERRORS_SHOWN_MAX = 20
