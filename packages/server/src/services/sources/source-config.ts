import {
  ApiError,
  FeedConnection,
  JsonApiConnection,
  MysqlConnection,
  PostgresConnection,
  ShopifyConnection,
  SitemapConnection,
  SOURCE_REMOVED_SHARE_DEFAULT,
  SOURCE_SECRETS,
  WooCommerceConnection,
  isShopUrl,
  type PutSourceRequest,
  type SourceConnection,
  type SourceKind,
  type TObject,
} from '@aisle/contract'
import { parameterReader } from '@aisle/contract/check'
import { nestedError } from '../nested-error.ts'
import { narrowedSchema } from './narrowed-schema.ts'
import { isEmailAddress } from '../../domain/values/email-address.ts'
import type { SourceConfig } from './source-record.ts'

const CONNECTIONS: { readonly [Kind in SourceKind]: TObject } = {
  feed: FeedConnection as TObject,
  json_api: JsonApiConnection as TObject,
  sitemap: SitemapConnection as TObject,
  postgres: PostgresConnection as TObject,
  mysql: MysqlConnection as TObject,
  shopify: ShopifyConnection as TObject,
  woocommerce: WooCommerceConnection as TObject,
}
const ID_DEFAULT = 'id'

type DatabaseConnection = MysqlConnection | PostgresConnection

const readers = new Map<string, ReturnType<typeof parameterReader<SourceConnection>>>()

/**
 * Reads the connection of a source by its kind.
 *
 * @throws ApiError invalid_parameter, missing_parameter
 */
export function readConnection(sent: { readonly kind: SourceKind }): SourceConnection {
  const { kind } = sent
  const { schema, key } = narrowedSchema(CONNECTIONS[kind], sent)
  const name = `${kind} ${key}`
  const read = readers.get(name) ?? parameterReader<SourceConnection>(schema)
  readers.set(name, read)
  try {
    const connection = read(sent)
    requireSense(connection)
    return connection
  } catch (error) {
    throw error instanceof ApiError ? nestedError('connection', error) : error
  }
}

/** @throws ApiError invalid_parameter if it can never be read */
function requireSense(connection: SourceConnection): void {
  switch (connection.kind) {
    case 'feed':
    case 'json_api':
    case 'sitemap':
      return requireWebUrl(connection.url, 'url')
    case 'shopify':
    case 'woocommerce':
      return requireShopUrl(connection.url)
    case 'postgres':
    case 'mysql':
      return requireRows(connection)
  }
}

/**
 * @param sendsMail whether the service has a mail server
 * @throws ApiError invalid_parameter
 */
export function readConfig(request: PutSourceRequest, sendsMail: boolean): SourceConfig {
  const { schedule, alerts } = request
  if (alerts?.webhook !== undefined) requireWebUrl(alerts.webhook, 'alerts.webhook')
  requireAddresses(alerts?.emails ?? [], sendsMail)
  return {
    connection: readConnection(request.connection),
    mapping: request.mapping ?? {},
    idColumn: request.id_column ?? ID_DEFAULT,
    schedule:
      schedule === undefined
        ? undefined
        : { cron: schedule.cron, timeZone: schedule.time_zone ?? 'UTC' },
    deletions: request.deletions ?? 'keep',
    maxRemovedShare: request.max_removed_share ?? SOURCE_REMOVED_SHARE_DEFAULT,
    onError: request.on_error ?? 'skip',
    webhook: alerts?.webhook,
    emails: alerts?.emails,
  }
}

/** @throws ApiError invalid_parameter if the kind has no secret of this name */
export function readSecrets(
  kind: SourceKind,
  secrets: PutSourceRequest['secrets'],
): Readonly<Record<string, string>> | undefined {
  if (secrets === undefined) return undefined
  const given = Object.entries(secrets).filter(([, value]) => value !== undefined && value !== '')
  for (const [name] of given) {
    if (SOURCE_SECRETS[kind].includes(name)) continue
    throw new ApiError(
      'invalid_parameter',
      `A source of kind "${kind}" has no secret \`${name}\``,
      {
        param: `secrets.${name}`,
      },
    )
  }
  return Object.fromEntries(given)
}

/** Whom the secrets of a connection are sent to, and as whom: they are kept for nobody else. */
export function recipientOf(connection: SourceConnection): string {
  switch (connection.kind) {
    case 'feed':
      return JSON.stringify([new URL(connection.url).origin, connection.username])
    case 'json_api':
    case 'sitemap':
      return JSON.stringify([connection.kind, new URL(connection.url).origin])
    case 'shopify':
      return JSON.stringify([connection.kind, connection.url, connection.client_id])
    case 'woocommerce':
      return JSON.stringify([connection.kind, connection.url])
    case 'postgres':
    case 'mysql': {
      const { kind, host, port, user, tls, certificate_authority: authority } = connection
      return JSON.stringify([kind, host, port, user, tls, authority])
    }
  }
}

/**
 * A table or a query; replication follows a table, whose rows may be the documents of a query.
 *
 * @throws ApiError invalid_parameter
 */
function requireRows({ table, query, follow }: DatabaseConnection): void {
  const isReplicated = follow?.by === 'replication'
  if (isReplicated && table === undefined) {
    const message = 'Parameter `table` is required: replication follows the changes of a table'
    throw new ApiError('invalid_parameter', message, { param: 'table' })
  }
  if (isReplicated || (table === undefined) !== (query === undefined)) return
  const message = 'Expected `table` or `query`, and not both'
  throw new ApiError('invalid_parameter', message, {
    param: table === undefined ? 'table' : 'query',
  })
}

/** @throws ApiError invalid_parameter */
function requireAddresses(emails: readonly string[], sendsMail: boolean): void {
  const param = 'alerts.emails'
  const wrong = emails.find((one) => !isEmailAddress(one))
  if (wrong !== undefined) {
    throw new ApiError(
      'invalid_parameter',
      `Parameter \`${param}\` must have addresses such as \`ana@shop.example\`, received ${JSON.stringify(wrong)}`,
      { param },
    )
  }
  if (sendsMail || emails.length === 0) return
  throw new ApiError(
    'invalid_parameter',
    `Parameter \`${param}\` must be absent: the service sends no e-mail until its operator sets --smtp-url`,
    { param },
  )
}

/** @throws ApiError invalid_parameter */
function requireShopUrl(text: string): void {
  const url = URL.parse(text)
  if (url !== null && isShopUrl(url)) return
  throw new ApiError(
    'invalid_parameter',
    'Parameter `url` must be an https URL without a user name: the credentials of the shop are sent to it',
    { param: 'url' },
  )
}

/** @throws ApiError invalid_parameter */
function requireWebUrl(text: string, param: string): void {
  const url = URL.parse(text)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new ApiError('invalid_parameter', `Parameter \`${param}\` must be an http or https URL`, {
      param,
    })
  }
  if (url.username + url.password === '') return
  throw new ApiError(
    'invalid_parameter',
    `Parameter \`${param}\` must not contain a user name or a password, which would be shown: use \`username\` and the secret \`password\``,
    { param },
  )
}
