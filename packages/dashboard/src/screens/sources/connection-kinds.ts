import type { PutSourceRequest, Source } from '@aisle/client'

export type Connection = PutSourceRequest['connection']
export type Kind = Connection['kind']
export type SecretName = keyof NonNullable<PutSourceRequest['secrets']>
/** Members of a connection without its kind, as they are typed: the service checks them. */
export type Members = Readonly<Record<string, unknown>>

export const KINDS: readonly { readonly value: Kind; readonly label: string }[] = [
  { value: 'feed', label: 'Product feed or file' },
  { value: 'postgres', label: 'PostgreSQL' },
  { value: 'mysql', label: 'MySQL or MariaDB' },
  { value: 'shopify', label: 'Shopify' },
  { value: 'woocommerce', label: 'WooCommerce' },
  { value: 'json_api', label: 'JSON API' },
  { value: 'sitemap', label: 'Sitemap with product pages' },
]

/** The secrets of each kind, and what they are called. */
export const SECRETS: { readonly [Of in Kind]: readonly (readonly [SecretName, string])[] } = {
  feed: [['password', 'Password']],
  postgres: [['password', 'Password']],
  mysql: [['password', 'Password']],
  json_api: [['token', 'Token']],
  sitemap: [],
  shopify: [
    ['client_secret', 'Client secret'],
    ['access_token', 'Access token'],
  ],
  woocommerce: [
    ['consumer_key', 'Consumer key'],
    ['consumer_secret', 'Consumer secret'],
    ['webhook_secret', 'Webhook secret (optional)'],
  ],
}

/** What a new connection of a kind begins with. */
const BEGINNINGS: { readonly [Of in Kind]: Members } = {
  feed: {},
  postgres: { follow: { by: 'replication' } },
  mysql: {},
  json_api: {},
  sitemap: {},
  shopify: {},
  woocommerce: {},
}

/** Where a source is, in a few words. */
export function placeOf({ connection }: Source): string {
  if ('url' in connection) return connection.url
  const { host, database, table } = connection
  return `${host} · ${database} · ${table ?? 'query'}`
}

/** The members to edit: those that are saved, if they are of this kind. */
export function membersOf(kind: Kind, saved: Source | undefined): Members {
  if (saved?.connection.kind !== kind) return BEGINNINGS[kind]
  const { kind: _, ...members } = saved.connection
  return members
}

/** A copy with another member; an empty one is left out. */
export function withMember(members: Members, name: string, value: unknown): Members {
  const { [name]: _, ...rest } = members
  return value === '' || value === undefined || value === false ? rest : { ...rest, [name]: value }
}

export function textOf(members: Members, name: string): string {
  const value = members[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Members of an object among them. */
export function innerOf(members: Members, name: string): Members {
  const value = members[name]
  return typeof value === 'object' && value !== null ? (value as Members) : {}
}

/** @throws Error if the text is not a JSON object */
export function readMembers(text: string): Members {
  let members: unknown
  try {
    members = JSON.parse(text)
  } catch {
    throw new Error('The connection is not valid JSON')
  }
  if (typeof members === 'object' && members !== null && !Array.isArray(members)) {
    return members as Members
  }
  throw new Error('The connection must be a JSON object')
}
