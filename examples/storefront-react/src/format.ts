import type { Product } from './page-data.ts'
import { SHOP } from './shop-config.ts'

const money = new Intl.NumberFormat(SHOP.locale, { style: 'currency', currency: SHOP.currency })
const plain = new Intl.NumberFormat(SHOP.locale)

export function price(value: number): string {
  return money.format(value)
}

export function count(value: number): string {
  return plain.format(value)
}

/** The last level of a category. */
export function lastLevel(path: string): string {
  return path.slice(path.lastIndexOf(SHOP.levelSeparator) + 1).replace(/^[^\p{L}\p{N}]+/u, '')
}

type TextRole = 'title' | 'image' | 'brand' | 'description'
type NumberRole = 'price' | 'listPrice' | 'rating' | 'ratingCount' | 'stock'

/** The first text of a field; empty if there is none. */
export function textOf(product: Product, role: TextRole): string {
  const [first] = [valueOf(product, role)].flat()
  return typeof first === 'string' ? first : ''
}

export function numberOf(product: Product, role: NumberRole): number | undefined {
  const value = valueOf(product, role)
  return typeof value === 'number' ? value : undefined
}

export function isSoldOut(product: Product): boolean {
  return valueOf(product, 'inStock') === false
}

function valueOf(product: Product, role: keyof typeof SHOP.fields): unknown {
  const field = SHOP.fields[role]
  return field === undefined ? undefined : product[field]
}
