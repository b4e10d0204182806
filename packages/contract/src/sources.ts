import type { Static } from 'typebox'
import { MysqlConnection, PostgresConnection } from './database-connections.ts'
import { JsonApiConnection, SitemapConnection } from './web-connections.ts'
import { FIELD_NAME_MAX_CHARS } from './limits.ts'
import { ChangedBy } from './settings.ts'
import {
  ALERT_EMAILS_MAX,
  EMAIL_ADDRESS_MAX_CHARS,
  FOLLOW_ALERT_AFTER_SECONDS,
  SOURCE_DIFF_SHOWN_MAX,
  SOURCE_INTERVAL_MIN_SECONDS,
  SOURCE_MAPPING_MAX,
  SOURCE_PREVIEW_ROWS,
  SOURCE_PREVIEW_ROWS_MAX,
  SOURCE_REMOVED_SHARE_DEFAULT,
  SOURCE_SCHEDULE_MAX_CHARS,
  SOURCE_SECRET_MAX_CHARS,
  SOURCE_URL_MAX_CHARS,
} from './source-limits.ts'
import { ShopifyConnection, WooCommerceConnection } from './shop-connections.ts'
import { Optional, Type } from './type.ts'

export const FeedConnection = Type.Object(
  {
    kind: Type.Literal('feed'),
    url: Type.String({
      minLength: 1,
      maxLength: SOURCE_URL_MAX_CHARS,
      description: 'An `http` or `https` URL, without a user name and a password.',
    }),
    format: Optional.Enum(['json', 'ndjson', 'csv', 'tsv', 'xml'], {
      description: 'Default: by the end of the URL, or by `Content-Type`.',
    }),
    encoding: Optional.String({ maxLength: 40, description: 'Default: detected.' }),
    delimiter: Optional.String({
      minLength: 1,
      maxLength: 1,
      description: 'Delimiter of a table. Default: detected.',
    }),
    username: Optional.String({
      maxLength: 256,
      description: 'For HTTP basic authentication, with the secret `password`.',
    }),
  },
  {
    additionalProperties: false,
    description: 'A product feed or a file of documents on the web. See docs/feeds.md.',
  },
)
export type FeedConnection = Static<typeof FeedConnection>

/** One member for each kind of source; `kind` tells them apart. */
export const SourceConnection = Type.Union(
  [
    FeedConnection,
    JsonApiConnection,
    SitemapConnection,
    PostgresConnection,
    MysqlConnection,
    ShopifyConnection,
    WooCommerceConnection,
  ],
  { description: 'Where the documents are.' },
)
export type SourceConnection = Static<typeof SourceConnection>
export type SourceKind = SourceConnection['kind']

/** The secrets that each kind of source may have. */
export const SOURCE_SECRETS: { readonly [Kind in SourceKind]: readonly string[] } = {
  feed: ['password'],
  json_api: ['token'],
  sitemap: [],
  postgres: ['password'],
  mysql: ['password'],
  shopify: ['access_token', 'client_secret'],
  woocommerce: ['consumer_key', 'consumer_secret', 'webhook_secret'],
}

const secret = Optional.String({ maxLength: SOURCE_SECRET_MAX_CHARS, writeOnly: true })
const secrets = Type.Object(
  {
    password: secret,
    token: secret,
    access_token: secret,
    client_secret: secret,
    consumer_key: secret,
    consumer_secret: secret,
    webhook_secret: secret,
  },
  {
    additionalProperties: false,
    description:
      'Never returned. Absent: the stored ones are kept, as long as `connection` names the same server and user.',
  },
)
const mapping = Type.Record(Type.String(), Type.String({ maxLength: FIELD_NAME_MAX_CHARS }), {
  maxProperties: SOURCE_MAPPING_MAX,
  description: 'Field of the document for a column or attribute; empty: left out.',
})
const idColumn = Type.String({
  minLength: 1,
  maxLength: FIELD_NAME_MAX_CHARS,
  description: 'Column or attribute that holds the document id.',
})
const Schedule = Type.Object(
  {
    cron: Type.String({
      minLength: 1,
      maxLength: SOURCE_SCHEDULE_MAX_CHARS,
      description: `Five fields: minute, hour, day, month, weekday. At least ${SOURCE_INTERVAL_MIN_SECONDS} seconds between two runs.`,
    }),
    time_zone: Optional.String({
      maxLength: 64,
      default: 'UTC',
      description: 'Such as `Europe/Berlin`.',
    }),
  },
  { additionalProperties: false, description: 'Absent: runs only when asked to.' },
)
const deletions = Type.Enum(['keep', 'remove_missing'], {
  default: 'keep',
  description:
    '`remove_missing` deletes documents that an earlier run wrote and that the source no longer has.',
})
const removedShare = Type.Number({
  minimum: 0,
  maximum: 1,
  default: SOURCE_REMOVED_SHARE_DEFAULT,
  description: 'A run that would remove a larger share of the source’s documents removes nothing.',
})
const onError = Type.Enum(['skip', 'stop'], {
  default: 'skip',
  description: 'Refused rows are skipped and listed, or the first one ends the run.',
})
const Alerts = Type.Object(
  {
    webhook: Optional.String({
      minLength: 1,
      maxLength: SOURCE_URL_MAX_CHARS,
      description: 'Receives a JSON object by POST.',
    }),
    emails: Type.Optional(
      Type.Array(Type.String({ minLength: 3, maxLength: EMAIL_ADDRESS_MAX_CHARS }), {
        maxItems: ALERT_EMAILS_MAX,
        description:
          'Addresses that receive an e-mail. The operator of the service sets its mail server with `--smtp-url`.',
      }),
    ),
  },
  {
    additionalProperties: false,
    description: `Whom to tell when a run fails or removes nothing, when changes cannot be read for ${FOLLOW_ALERT_AFTER_SECONDS / 60} minutes, and when that is over.`,
  },
)

export const PutSourceRequest = Type.Object(
  {
    connection: SourceConnection,
    secrets: Type.Optional(secrets),
    mapping: Type.Optional(mapping),
    id_column: Type.Optional({ ...idColumn, default: 'id' } as typeof idColumn),
    schedule: Type.Optional(Schedule),
    deletions: Type.Optional(deletions),
    max_removed_share: Type.Optional(removedShare),
    on_error: Type.Optional(onError),
    alerts: Type.Optional(Alerts),
  },
  { $id: 'PutSourceRequest', additionalProperties: false },
)
export type PutSourceRequest = Static<typeof PutSourceRequest>

export const SourceRun = Type.Object(
  {
    id: Type.String(),
    source: Type.String(),
    kind: Type.Enum(['run', 'dry_run']),
    trigger: Type.Enum(['schedule', 'request', 'follow'], {
      description: '`follow`: changes of a database were lost, so everything is read again.',
    }),
    state: Type.Enum(['running', 'done', 'failed', 'cancelled'], {
      description: 'What a run has written before it failed stays.',
    }),
    unchanged_since_last: Optional.Boolean({
      description: 'The source said that it has not changed: nothing was read.',
    }),
    removal_refused: Optional.Boolean({
      description: 'More than `max_removed_share` was missing: nothing was removed.',
    }),
    rows: Type.Integer({ description: 'Rows that were read.' }),
    added: Type.Integer(),
    changed: Type.Integer(),
    unchanged: Type.Integer(),
    removed: Type.Integer(),
    missing: Type.Integer({ description: 'Documents that the source no longer has.' }),
    refused: Type.Integer(),
    bytes: Type.Integer({ description: 'Received.' }),
    changed_by: Type.Optional(ChangedBy),
    created_at: Type.String({ format: 'date-time' }),
    ended_at: Optional.String({ format: 'date-time' }),
    error: Optional.String({ description: 'Why it failed.' }),
  },
  { $id: 'SourceRun', description: 'One reading of a source.' },
)
export type SourceRun = Static<typeof SourceRun>

const FieldChange = Type.Object({
  field: Type.String(),
  before: Optional.String({ description: 'As JSON, cut; absent: the field was not there.' }),
  after: Optional.String(),
})
export const RefusedRow = Type.Object({
  row: Type.Integer({ description: 'From 1.' }),
  id: Optional.String(),
  error: Type.String(),
  document: Optional.String({ description: 'As it was read, cut.' }),
})
export type RefusedRow = Static<typeof RefusedRow>

export const SourceDiff = Type.Object(
  {
    added: Type.Array(Type.Object({ id: Type.String(), document: Type.String() })),
    changed: Type.Array(Type.Object({ id: Type.String(), fields: Type.Array(FieldChange) })),
    removed: Type.Array(Type.String()),
    refused: Type.Array(RefusedRow),
  },
  {
    $id: 'SourceDiff',
    description: `The first ${SOURCE_DIFF_SHOWN_MAX} documents of each kind.`,
  },
)
export type SourceDiff = Static<typeof SourceDiff>

export const SourceRunDetail = Type.Object(
  { run: SourceRun, diff: SourceDiff },
  { $id: 'SourceRunDetail' },
)
export type SourceRunDetail = Static<typeof SourceRunDetail>

export const SourceRuns = Type.Object(
  { runs: Type.Array(SourceRun, { description: 'Newest first.' }) },
  { $id: 'SourceRuns' },
)
export type SourceRuns = Static<typeof SourceRuns>

export const SourceFollowing = Type.Object(
  {
    since: Type.String({ format: 'date-time' }),
    error: Optional.String({ description: 'Why no changes arrive at present. It is tried again.' }),
    failing_since: Optional.String({ format: 'date-time' }),
    last_read_at: Optional.String({
      format: 'date-time',
      description: 'When the source last answered, whether or not there were changes.',
    }),
    changed: Type.Integer({ description: 'Documents written since then.' }),
    deleted: Type.Integer(),
    refused: Type.Integer(),
    last_change_at: Optional.String({ format: 'date-time' }),
  },
  { description: 'Changes of a database, which are written as they arrive.' },
)
export type SourceFollowing = Static<typeof SourceFollowing>

export const Source = Type.Object(
  {
    name: Type.String(),
    connection: SourceConnection,
    secrets: Type.Array(Type.String(), { description: 'Names of the stored secrets.' }),
    mapping,
    id_column: idColumn,
    schedule: Type.Optional(Schedule),
    deletions,
    max_removed_share: removedShare,
    on_error: onError,
    alerts: Type.Optional(Alerts),
    paused: Type.Boolean(),
    health: Type.Enum(['new', 'ok', 'failing', 'shrunk', 'stale'], {
      description:
        '`failing`: the last run failed. `shrunk`: the last run removed nothing because too much was missing. `stale`: two scheduled runs have passed since the last good one.',
    }),
    documents: Type.Integer({ description: 'Documents of the source after its last good run.' }),
    next_run_at: Optional.String({ format: 'date-time' }),
    last_run: Type.Optional(SourceRun),
    last_good_run: Type.Optional(SourceRun),
    running: Optional.String({ description: 'Id of the run in progress.' }),
    following: Type.Optional(SourceFollowing),
    created_at: Type.String({ format: 'date-time' }),
    changed_at: Type.String({ format: 'date-time' }),
    changed_by: Type.Optional(ChangedBy),
  },
  { $id: 'Source' },
)
export type Source = Static<typeof Source>

export const SourceList = Type.Object(
  { sources: Type.Array(Source, { description: 'Sorted by name.' }) },
  { $id: 'SourceList' },
)
export type SourceList = Static<typeof SourceList>

export const DeletedSource = Type.Object(
  { name: Type.String(), status: Type.Literal('deleted') },
  { $id: 'DeletedSource' },
)
export type DeletedSource = Static<typeof DeletedSource>

export const RunSourceRequest = Type.Object(
  {
    dry_run: Optional.Boolean({ default: false, description: 'Compares, and writes nothing.' }),
    full: Optional.Boolean({
      default: false,
      description: 'Writes all documents again, whether or not they have changed.',
    }),
    allow_removal: Optional.Boolean({
      default: false,
      description: 'Removes missing documents, whatever their share.',
    }),
  },
  { $id: 'RunSourceRequest', additionalProperties: false },
)
export type RunSourceRequest = Static<typeof RunSourceRequest>

export const PreviewSourceRequest = Type.Object(
  {
    connection: SourceConnection,
    secrets: Type.Optional(secrets),
    source: Optional.String({ description: 'Use the stored secrets of this source.' }),
    mapping: Type.Optional(mapping),
    id_column: Type.Optional(idColumn),
    rows: Optional.Integer({
      minimum: 1,
      maximum: SOURCE_PREVIEW_ROWS_MAX,
      default: SOURCE_PREVIEW_ROWS,
    }),
  },
  { $id: 'PreviewSourceRequest', additionalProperties: false },
)
export type PreviewSourceRequest = Static<typeof PreviewSourceRequest>

export const SourcePreview = Type.Object(
  {
    documents: Type.Array(
      Type.Object({ id: Optional.String(), document: Type.String({ description: 'JSON.' }) }),
    ),
    refused: Type.Array(RefusedRow),
    columns: Type.Array(
      Type.Object({
        column: Type.String(),
        field: Type.String({ description: 'Empty: left out.' }),
        type: Optional.String(),
        is_new: Type.Boolean({ description: 'The schema has no such field.' }),
        examples: Type.Array(Type.String()),
      }),
    ),
    id_column: Type.String({ description: 'The given one, or the likeliest.' }),
    rows_read: Type.Integer({ description: 'Rows that this was learned from.' }),
    schema_defined: Type.Boolean({ description: 'Whether the store has a schema.' }),
    proposed_fields: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
      description:
        'Fields for `POST /api/v1/stores/{id}/schema`, of columns that the schema lacks.',
    }),
    distinct: Optional.String({
      description: 'For the setting `distinct`: the field that variants of one product share.',
    }),
  },
  { $id: 'SourcePreview' },
)
export type SourcePreview = Static<typeof SourcePreview>
