import type { Schema } from '@aisle/engine'

/** Names of title fields, by priority: the first that exists is the title. */
export const TITLE_NAMES = [
  'title',
  'name',
  'product_title',
  'product_name',
  'item_title',
  'item_name',
  'headline',
  'label',
] as const

/**
 * Ordinal of the title field: a searchable single text with one of these names; -1 if there is
 * none.
 */
export function titleFieldOf({ fields }: Schema): number {
  for (const name of TITLE_NAMES) {
    const ordinal = fields.findIndex(
      (field) => field.searchable && field.type === 'string' && snakeCase(field.name) === name,
    )
    if (ordinal >= 0) return ordinal
  }
  return -1
}

/** Makes productName, Product-Name and product_name the same name. */
export function snakeCase(name: string): string {
  return name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .replace(/[\s.-]+/g, '_')
    .toLowerCase()
}
