import { fieldNameOf } from './field-name.ts'
import { tableProducts } from './feeds/feed-rows.ts'
import { shopifyProducts } from './shopify-rows.ts'
import type { SourceRow } from './source-row.ts'
import { wooProducts } from './woocommerce-rows.ts'

/** Systems whose files are read as products, not as plain rows. */
export type ShopSystem = 'Shopify' | 'WooCommerce' | 'Google Merchant' | 'Meta'

type Products = (rows: AsyncIterable<SourceRow>) => AsyncGenerator<SourceRow>

const PRODUCTS: Readonly<Record<ShopSystem, Products>> = {
  Shopify: shopifyProducts,
  WooCommerce: wooProducts,
  'Google Merchant': tableProducts,
  Meta: tableProducts,
}

/** Columns that catalogs of Meta have and feeds of Google lack. */
const OF_META = [
  'fb_product_category',
  'quantity_to_sell_on_facebook',
  'inventory',
  'rich_text_description',
  'image_0_url',
  'product_tags_0',
]

/** Detects the system that a table is from by its columns. */
export function shopSystemOf(
  columns: readonly string[],
  format: 'csv' | 'tsv',
): ShopSystem | undefined {
  const names = new Set(columns.map((column) => column.toLowerCase()))
  const has = (...wanted: string[]): boolean => wanted.every((name) => names.has(name))
  if (has('title', 'vendor') && (has('handle', 'variant price') || has('url handle', 'price'))) {
    return 'Shopify'
  }
  if (has('id', 'type', 'name', 'regular price', 'categories')) return 'WooCommerce'
  const attributes = new Set(columns.map(fieldNameOf))
  const isFeed = ['id', 'title', 'link', 'price', 'availability'].every((name) =>
    attributes.has(name),
  )
  if (!isFeed || !(attributes.has('image_link') || attributes.has('image_0_url'))) return undefined
  const isOfMeta = format === 'csv' || OF_META.some((name) => attributes.has(name))
  return isOfMeta ? 'Meta' : 'Google Merchant'
}

/** Reads the rows of an export as products, with their variants and pictures. */
export function productsOf(
  system: ShopSystem,
  rows: AsyncIterable<SourceRow>,
): AsyncGenerator<SourceRow> {
  return PRODUCTS[system](rows)
}
