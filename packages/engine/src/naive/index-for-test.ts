import type { Field, FieldValue, Schema } from '../schema/schema.ts'
import type { SearchPlan } from '../query/plan.ts'
import { NaiveIndex } from './naive-index.ts'
import type { SlotOptions } from './plan-for-test.ts'
import { planForTest } from './plan-for-test.ts'
import { tinyAnalyzer } from './tiny-analyzer.ts'

/** A shop's schema for hand-made examples. */
export const SHOP: Schema = {
  fields: [
    field('title', 'string', 'searchable sort'),
    field('tags', 'string[]', 'searchable facet'),
    field('brand', 'string', 'facet sort'),
    field('price', 'float', 'facet sort'),
    field('stock', 'int64', 'facet sort'),
    field('sizes', 'int32[]', 'searchable facet'),
    field('new', 'bool', 'searchable facet sort'),
  ],
}

function field(name: string, type: Field['type'], roles: string): Field {
  return {
    name,
    type,
    searchable: roles.includes('searchable'),
    facet: roles.includes('facet'),
    sort: roles.includes('sort'),
  }
}

export interface ShopDocument {
  readonly title?: string
  readonly tags?: readonly string[]
  readonly brand?: string
  readonly price?: number
  readonly stock?: bigint
  readonly sizes?: readonly number[]
  readonly new?: boolean
}

/**
 * An index of these documents, with keys 1, 2, … and ids "1", "2", … A string is a document with
 * only a title.
 */
export function shopIndex(documents: readonly (ShopDocument | string)[]): NaiveIndex {
  const index = new NaiveIndex(SHOP, tinyAnalyzer)
  documents.forEach((document, i) => {
    const named = typeof document === 'string' ? { title: document } : document
    const values = SHOP.fields.map(
      ({ name }) => named[name as keyof ShopDocument] as FieldValue | undefined,
    )
    index.add({ docKey: i + 1, id: String(i + 1), values })
  })
  return index
}

export function shopPlan(
  text: string,
  changes: Partial<SearchPlan> & SlotOptions = {},
): SearchPlan {
  return planForTest(text, SHOP, tinyAnalyzer, { size: 2_000, ...changes })
}

/** Keys of the documents for a query, best first. */
export function keysFor(
  index: NaiveIndex,
  text: string,
  changes: Partial<SearchPlan> & SlotOptions = {},
): number[] {
  return index.search(shopPlan(text, changes)).hits.map((hit) => hit.docKey)
}

/** Ordinal of a field of the shop. */
export function ordinalOf(name: keyof ShopDocument): number {
  return SHOP.fields.findIndex((field) => field.name === name)
}

/** Sort order for keys when only their set matters. */
export function ascending(a: number, b: number): number {
  return a - b
}
