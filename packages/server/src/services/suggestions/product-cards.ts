import { CARD_ROLES, type ProductCard as Card } from '@aisle/contract'
import { isNamed } from '../../domain/documents/nested-fields.ts'
import { exactJson } from '../../domain/json/json-exact.ts'
import { parseExact, textOf } from '../../domain/json/json-scan.ts'
import { spliceDocument } from '../../domain/json/json-splice.ts'
import { productCard, type ProductCard } from '../../domain/store/product-card.ts'
import type { StoredDocument } from '../../ports/catalog/document-reader.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import { NO_SCHEMA } from '../open-view.ts'
import { currentSettings } from '../store/store-settings.ts'

/** The fields that the product cards of a store show. */
export function cardOf({
  schema = NO_SCHEMA,
  resources,
}: Pick<SearchView, 'schema' | 'resources'>): ProductCard {
  const { product_card: given, omit_fields: omitted = [] } = currentSettings(resources).settings
  const { card } = productCard(schema, given)
  if (omitted.length === 0) return card
  const isShown = (name: string): boolean => !isNamed(name, omitted, schema)
  const roles = CARD_ROLES.map((role) => {
    const name = card[role]
    return [role, name !== null && isShown(name) ? name : null] as const
  })
  return {
    ...(Object.fromEntries(roles) as Pick<ProductCard, (typeof CARD_ROLES)[number]>),
    metadata: card.metadata.filter(isShown),
  }
}

/** Returns the card of one product, with the first value of a list. */
export function presentCard(
  card: ProductCard,
  { id, json }: StoredDocument,
  reason: Card['reason'],
): Card {
  const { title, url, image, price, currency, metadata } = card
  const include = new Set(
    [title, url, image, price, currency, ...metadata].filter((name) => name !== null),
  )
  const bytes = spliceDocument(json, id, { withId: false, include })
  const values = new Map(
    Object.entries(parseExact(textOf(bytes, 0, bytes.length)) as Record<string, unknown>),
  )
  const valueOf = (name: string | null): unknown => {
    const value = name === null ? undefined : values.get(name)
    return Array.isArray(value) ? value[0] : value
  }
  const text = (name: string | null): string | null => {
    const value = valueOf(name)
    if (typeof value === 'string') return value
    return value === undefined || value === null ? null : exactJson(value)
  }
  return {
    id,
    title: text(title),
    url: text(url),
    image: text(image),
    price: valueOf(price) ?? null,
    currency: text(currency),
    metadata: Object.fromEntries(
      metadata.flatMap((name) => (values.has(name) ? [[name, values.get(name)]] : [])),
    ),
    reason,
  }
}
