import type { SourceRow } from './source-row.ts'
import { shopifyProducts } from './shopify-rows.ts'
import { wooProducts } from './woocommerce-rows.ts'

/** Shop systems whose exports have several rows per product. */
export type ShopSystem = 'Shopify' | 'WooCommerce'

type Products = (rows: AsyncIterable<SourceRow>) => AsyncGenerator<SourceRow>

const PRODUCTS: Readonly<Record<ShopSystem, Products>> = {
  Shopify: shopifyProducts,
  WooCommerce: wooProducts,
}

/** Detects the shop system of a table by its columns. */
export function shopSystemOf(columns: readonly string[]): ShopSystem | undefined {
  const names = new Set(columns.map((column) => column.toLowerCase()))
  const has = (...wanted: string[]): boolean => wanted.every((name) => names.has(name))
  if (has('title', 'vendor') && (has('handle', 'variant price') || has('url handle', 'price'))) {
    return 'Shopify'
  }
  if (has('id', 'type', 'name', 'regular price', 'categories')) return 'WooCommerce'
  return undefined
}

/** Combines the rows of an export into products with their variants and pictures. */
export function productsOf(
  system: ShopSystem,
  rows: AsyncIterable<SourceRow>,
): AsyncGenerator<SourceRow> {
  return PRODUCTS[system](rows)
}
