import type { PutSourceRequest, Source } from '@aisle/client'

export type Connection = PutSourceRequest['connection']
export type Kind = Connection['kind']

export const KINDS: readonly { readonly value: Kind; readonly label: string }[] = [
  { value: 'feed', label: 'Product feed or file' },
  { value: 'postgres', label: 'PostgreSQL' },
  { value: 'mysql', label: 'MySQL or MariaDB' },
  { value: 'shopify', label: 'Shopify' },
  { value: 'json_api', label: 'JSON API' },
  { value: 'sitemap', label: 'Sitemap with product pages' },
]

/** The secret of each kind, and what it is called. */
export const SECRETS: {
  readonly [Of in Kind]: readonly ['password' | 'token' | 'client_secret', string] | undefined
} = {
  feed: ['password', 'Password'],
  postgres: ['password', 'Password'],
  mysql: ['password', 'Password'],
  json_api: ['token', 'Token'],
  sitemap: undefined,
  shopify: ['client_secret', 'Client secret'],
  // It has three: the form does not offer the kind.
  woocommerce: undefined,
}

/** What to begin with: the members that most connections of a kind have. */
const BEGINNINGS: { readonly [Of in Kind]: object } = {
  feed: {},
  postgres: {
    host: 'db.shop.example',
    database: 'shop',
    user: 'aisle',
    table: 'products',
    follow: { by: 'replication', publication: 'aisle_products' },
  },
  mysql: {
    host: 'db.shop.example',
    database: 'shop',
    user: 'aisle',
    table: 'products',
    follow: { by: 'updated_at', column: 'updated_at' },
  },
  json_api: {
    url: 'https://shop.example/api/products?limit=100',
    items: 'data',
    pages: { by: 'cursor', parameter: 'after', path: 'paging.next_cursor' },
  },
  sitemap: { url: 'https://shop.example/sitemap.xml', path_prefix: '/products/' },
  shopify: { url: 'https://example.myshopify.com', client_id: '' },
  woocommerce: { url: 'https://shop.example' },
}

/** Where a source is, in a few words. */
export function placeOf({ connection }: Source): string {
  if ('url' in connection) return connection.url
  const { host, database, table } = connection
  return `${host} · ${database} · ${table ?? 'query'}`
}

/** A connection without its kind, to edit. */
export function connectionText(kind: Kind, saved: Source | undefined): string {
  const isSaved = saved?.connection.kind === kind
  const { kind: _, ...members } = isSaved ? saved.connection : { kind, ...BEGINNINGS[kind] }
  return JSON.stringify(members, null, 2)
}

/** @throws Error if the text is not a JSON object */
export function readConnection(kind: Kind, text: string): Connection {
  let members: unknown
  try {
    members = JSON.parse(text)
  } catch {
    throw new Error('The connection is not JSON')
  }
  return { ...(members as object), kind } as Connection
}
