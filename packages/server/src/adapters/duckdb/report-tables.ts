/**
 * The tables of one store, derived only from its event log. Rows are only added, and carry the
 * position of their record, so that those without a record can be removed. No keys and no indexes:
 * they have made DuckDB files unreadable after a crash (duckdb#15836, #18732).
 *
 * Times are milliseconds since 1970, amounts millionths of a currency unit. `tags` holds each tag
 * between two separators, as one text. `is_own`: our record of a search. `client` is only there
 * where no id is.
 */
export const REPORT_TABLES = [
  `CREATE TABLE progress (
     format INTEGER, watermark BIGINT, entries BIGINT, is_valid BOOLEAN)`,
  `CREATE TABLE activity (
     position BIGINT, at_ms BIGINT, received_ms BIGINT, kind VARCHAR, name VARCHAR, is_own BOOLEAN,
     search_id VARCHAR, query VARCHAR, found BIGINT, took_ms DOUBLE, rank BIGINT,
     document_id VARCHAR, order_id VARCHAR, currency VARCHAR, amount BIGINT,
     tags VARCHAR, is_outside BOOLEAN,
     user_id VARCHAR, anonymous_id VARCHAR, session_id VARCHAR, client VARCHAR)`,
  // Values that an activity has several of.
  'CREATE TABLE shown (position BIGINT, document_id VARCHAR)',
  'CREATE TABLE items (position BIGINT, document_id VARCHAR, amount BIGINT)',
  'CREATE TABLE filters (position BIGINT, field VARCHAR, value VARCHAR)',
  // Rules that applied to a search, and the preset that it named; the arm of an experiment, with
  // its id as name, and the documents that each of its orders placed.
  'CREATE TABLE applied (position BIGINT, kind VARCHAR, name VARCHAR)',
  'CREATE TABLE links (position BIGINT, at_ms BIGINT, anonymous_id VARCHAR, user_id VARCHAR)',
  'CREATE TABLE tallies (position BIGINT, received_ms BIGINT, name VARCHAR, verdict VARCHAR, count BIGINT)',
  // Derived from the activities, stretch by stretch; and the stretches to derive again.
  `CREATE TABLE searches (
     stretch BIGINT, key BIGINT, final BIGINT, search_id VARCHAR, at_ms BIGINT,
     query VARCHAR, found BIGINT, tags VARCHAR, session VARCHAR,
     user_id VARCHAR, anonymous_id VARCHAR, session_id VARCHAR, client VARCHAR)`,
  'CREATE TABLE touches (stretch BIGINT, position BIGINT, final BIGINT)',
  'CREATE TABLE stale (stretch BIGINT)',
] as const

/** Tables whose rows belong to records of the log. */
export const LOG_TABLES = [
  'activity',
  'shown',
  'items',
  'filters',
  'applied',
  'links',
  'tallies',
] as const

/** Version of the tables above. A file with another one is rebuilt from the log. */
export const REPORT_FORMAT = 4

/** Expression for whose actions belong together, like `sessionOf` of the naive searches. */
export const SESSION = `CASE
  WHEN session_id IS NOT NULL THEN 's' || session_id
  WHEN anonymous_id IS NOT NULL THEN 'a' || anonymous_id
  WHEN user_id IS NOT NULL THEN 'u' || user_id
  ELSE 'c' || coalesce(client, '') END`

/** Kinds of deliberate actions of a visitor. */
export const ACTION_KINDS = `('click', 'filter', 'cart', 'suggestion', 'add', 'conversion', 'purchase', 'order')`
