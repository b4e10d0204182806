/** Sources of a store. */
export const SOURCES_MAX = 20
export const SOURCE_URL_MAX_CHARS = 2_000
export const SOURCE_SECRET_MAX_CHARS = 4_096
export const SOURCE_MAPPING_MAX = 500
export const SOURCE_SCHEDULE_MAX_CHARS = 100
/** Seconds between two scheduled runs of a source. */
export const SOURCE_INTERVAL_MIN_SECONDS = 300
/** Runs that a source keeps, dry runs included. */
export const SOURCE_RUNS_MAX = 50
/** Documents of each kind that the diff of a run shows. */
export const SOURCE_DIFF_SHOWN_MAX = 20
/** Characters of a document that the diff of a run shows. */
export const SOURCE_SHOWN_MAX_CHARS = 1_000
/** Share of a source's documents that one run removes without being told to. */
export const SOURCE_REMOVED_SHARE_DEFAULT = 0.2
/** Addresses that the alerts of a source are sent to. */
export const ALERT_EMAILS_MAX = 10
export const EMAIL_ADDRESS_MAX_CHARS = 254
/** Alerts of one source that are sent by e-mail in an hour. */
export const ALERT_MAILS_PER_HOUR_MAX = 10
/** Attempts to send an alert to one webhook or address. */
export const ALERT_ATTEMPTS_MAX = 3
/** Seconds for which changes of a source cannot be read before an alert says so. */
export const FOLLOW_ALERT_AFTER_SECONDS = 900
/** Bytes of a webhook that a shop sends. */
export const WEBHOOK_BODY_MAX_BYTES = 5_000_000
/** Webhooks a second for one source, on each serving thread; ten times as many at once. */
export const WEBHOOKS_PER_SECOND_MAX = 50
/** Changed products that wait to be read from the shop; beyond, all products are read. */
export const WEBHOOK_PRODUCTS_MAX = 1_000
/** Products of a preview. */
export const SOURCE_PREVIEW_ROWS = 20
export const SOURCE_PREVIEW_ROWS_MAX = 100
/** Databases. */
export const DATABASE_NAME_MAX_CHARS = 200
export const DATABASE_QUERY_MAX_CHARS = 20_000
/** Certificates of authorities, in PEM form. */
export const DATABASE_CERTIFICATE_MAX_CHARS = 20_000
/** Seconds between two queries for changed rows. */
export const DATABASE_POLL_MAX_SECONDS = 3_600
/** Seconds for which changed rows are read again. */
export const DATABASE_OVERLAP_MAX_SECONDS = 3_600
/** Seconds that one query of a database may take. */
export const DATABASE_STATEMENT_MAX_SECONDS = 24 * 3_600
/** Sources on the web. */
export const SOURCE_REQUESTS_PER_SECOND_MAX = 20
/** Characters of a path in a JSON answer, or of a parameter. */
export const JSON_API_PATH_MAX_CHARS = 200
/** Items of one page of a JSON API. */
export const JSON_API_PAGE_ITEMS_MAX = 10_000
/** Pages of a sitemap. */
export const SITEMAP_PAGES_MAX = 100_000
