import type { Static } from 'typebox'
import {
  DATABASE_CERTIFICATE_MAX_CHARS,
  DATABASE_NAME_MAX_CHARS,
  DATABASE_OVERLAP_MAX_SECONDS,
  DATABASE_POLL_MAX_SECONDS,
  DATABASE_QUERY_MAX_CHARS,
  DATABASE_STATEMENT_MAX_SECONDS,
} from './source-limits.ts'
import { Optional, Type } from './type.ts'

const NAME = { minLength: 1, maxLength: DATABASE_NAME_MAX_CHARS }

export const FollowUpdatedAt = Type.Object(
  {
    by: Type.Literal('updated_at'),
    column: Type.String({
      ...NAME,
      description:
        'Date column of the table or query that every change of a row sets to the current time. It needs an index.',
    }),
    tombstones: Optional.String({
      maxLength: DATABASE_QUERY_MAX_CHARS,
      description:
        'Query of the deleted rows, with the columns `id` and `deleted_at`. Without it, deletions are found when everything is read again.',
    }),
    interval_seconds: Optional.Integer({
      minimum: 1,
      maximum: DATABASE_POLL_MAX_SECONDS,
      description: 'Seconds between two queries. Default: 1.',
    }),
    overlap_seconds: Optional.Integer({
      minimum: 0,
      maximum: DATABASE_OVERLAP_MAX_SECONDS,
      description:
        'Seconds for which rows are read again: longer than any transaction that changes them. Default: 10.',
    }),
  },
  { additionalProperties: false, description: 'Queries for rows that changed.' },
)
export type FollowUpdatedAt = Static<typeof FollowUpdatedAt>

const FollowReplication = Type.Object(
  {
    by: Type.Literal('replication'),
    publication: Optional.String({
      ...NAME,
      description: 'Publication that has the table. Default: created by the source.',
    }),
    slot: Optional.String({
      pattern: '^[a-z0-9_]{1,63}$',
      description: 'Replication slot, for this source only. Default: a name made for the source.',
    }),
  },
  {
    additionalProperties: false,
    description: 'Logical replication of the table: changes arrive when they are committed.',
  },
)

const DATABASE = {
  host: Type.String({ minLength: 1, maxLength: 253, description: 'Name or address.' }),
  database: Type.String(NAME),
  user: Type.String({ ...NAME, description: 'Its password is the secret `password`.' }),
  tls: Optional.Enum(['verify', 'require', 'off'], {
    description:
      '`verify` checks the certificate and the name of the server, `require` only encrypts, `off` sends everything readable. Default: `verify`.',
  }),
  certificate_authority: Optional.String({
    maxLength: DATABASE_CERTIFICATE_MAX_CHARS,
    description: 'Certificates in PEM form that `verify` trusts in place of the public ones.',
  }),
  table: Optional.String({
    ...NAME,
    description: 'Table or view, as `products` or `shop.products`.',
  }),
  query: Optional.String({
    minLength: 1,
    maxLength: DATABASE_QUERY_MAX_CHARS,
    description: 'One `SELECT` with a row for each document, in place of the table.',
  }),
  statement_timeout_seconds: Optional.Integer({
    minimum: 1,
    maximum: DATABASE_STATEMENT_MAX_SECONDS,
    description: 'Maximum duration of one query. Default: 3600.',
  }),
}

export const PostgresConnection = Type.Object(
  {
    kind: Type.Literal('postgres'),
    port: Optional.Integer({ minimum: 1, maximum: 65_535, description: 'Default: 5432.' }),
    ...DATABASE,
    follow: Optional.Union([FollowReplication, FollowUpdatedAt], {
      description: 'How changes are found between two runs. Default: they are not.',
    }),
  },
  {
    additionalProperties: false,
    description: 'A table or query of PostgreSQL. See docs/sources-postgresql.md.',
  },
)
export type PostgresConnection = Static<typeof PostgresConnection>

export const MysqlConnection = Type.Object(
  {
    kind: Type.Literal('mysql'),
    port: Optional.Integer({ minimum: 1, maximum: 65_535, description: 'Default: 3306.' }),
    ...DATABASE,
    follow: Optional.Union([FollowUpdatedAt], {
      description: 'How changes are found between two runs. Default: they are not.',
    }),
  },
  {
    additionalProperties: false,
    description: 'A table or query of MySQL or MariaDB. See docs/sources-mysql.md.',
  },
)
export type MysqlConnection = Static<typeof MysqlConnection>
