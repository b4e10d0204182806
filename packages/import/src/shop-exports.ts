import type { SourceRow } from './source-row.ts'
import { shopifyProducts } from './shopify-rows.ts'
import { wooProducts } from './woocommerce-rows.ts'

/** Exports of shop systems, whose rows are not products. */
export type ShopSystem = 'Shopify' | 'WooCommerce'

type Products = (rows: AsyncIterable<SourceRow>) => AsyncGenerator<SourceRow>

const PRODUCTS: Readonly<Record<ShopSystem, Products>> = {
  Shopify: shopifyProducts,
  WooCommerce: wooProducts,
}

/** Which shop system a table comes from, by its columns. */
export function shopSystemOf(columns: readonly string[]): ShopSystem | undefined {
  const names = new Set(columns.map((column) => column.toLowerCase()))
  const has = (...wanted: string[]): boolean => wanted.every((name) => names.has(name))
  if (has('title', 'vendor') && (has('handle', 'variant price') || has('url handle', 'price'))) {
    return 'Shopify'
  }
  if (has('id', 'type', 'name', 'regular price', 'categories')) return 'WooCommerce'
  return undefined
}

/** Products of the rows of an export: variants and further pictures are put into their product. */
export function productsOf(
  system: ShopSystem,
  rows: AsyncIterable<SourceRow>,
): AsyncGenerator<SourceRow> {
  return PRODUCTS[system](rows)
}
