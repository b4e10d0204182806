import type { Static } from 'typebox'
import { SOURCE_URL_MAX_CHARS } from './source-limits.ts'
import { Optional, Type } from './type.ts'

const includeHidden = Optional.Boolean({
  default: false,
  description:
    'Also products that visitors of the shop do not find, such as drafts. Filter with `published` then.',
})

export const ShopifyConnection = Type.Object(
  {
    kind: Type.Literal('shopify'),
    url: Type.String({
      minLength: 1,
      maxLength: SOURCE_URL_MAX_CHARS,
      description: 'Such as `https://example.myshopify.com`.',
    }),
    client_id: Optional.String({
      minLength: 1,
      maxLength: 256,
      description:
        'Of an app of the Dev Dashboard, with the secret `client_secret`. Absent: the secret `access_token`.',
    }),
    include_hidden: includeHidden,
  },
  {
    additionalProperties: false,
    description: 'The products of a Shopify shop. See docs/sources-shopify.md.',
  },
)
export type ShopifyConnection = Static<typeof ShopifyConnection>

export const WooCommerceConnection = Type.Object(
  {
    kind: Type.Literal('woocommerce'),
    url: Type.String({
      minLength: 1,
      maxLength: SOURCE_URL_MAX_CHARS,
      description: 'Address of the WordPress site, by https.',
    }),
    include_hidden: includeHidden,
  },
  {
    additionalProperties: false,
    description: 'The products of a WooCommerce shop. See docs/sources-woocommerce.md.',
  },
)
export type WooCommerceConnection = Static<typeof WooCommerceConnection>

/**
 * Whether a shop may be read at a URL. Its credentials are sent with every request: by https, or to
 * a server on the same machine.
 */
export function isShopUrl({ protocol, hostname, username, password }: URL): boolean {
  const isLocal = /^(?:localhost|\[::1\]|127\.\d+\.\d+\.\d+)$/.test(hostname)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLocal)
  return isSafe && username === '' && password === ''
}

export const WebhookAnswer = Type.Object(
  {
    status: Type.Enum(['accepted', 'repeated', 'ignored'], {
      description:
        '`accepted`: the products are read from the shop soon. `repeated`: the delivery had arrived before. `ignored`: it says nothing about a product.',
    }),
  },
  { $id: 'WebhookAnswer' },
)
export type WebhookAnswer = Static<typeof WebhookAnswer>
