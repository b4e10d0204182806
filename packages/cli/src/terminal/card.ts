import { fieldNameOf } from '@aisle/import'

const words = (text: string): readonly string[] => text.split(' ')

/** Field names of a product card, the likeliest first, as the service guesses them. */
const NAMES = {
  title: words(
    'title name product_title product_name item_title item_name headline ' +
      'titel bezeichnung produktname titre nom título titolo',
  ),
  price: words(
    'price sale_price current_price final_price selling_price amount ' +
      'preis verkaufspreis prix precio prezzo prijs',
  ),
  currency: words('currency currency_code price_currency'),
  brand: words(
    'brand brands brand_name manufacturer vendor maker marke hersteller marque marca merk',
  ),
}

type Role = keyof typeof NAMES
type Document = Readonly<Record<string, unknown>>

/** The field of a document for a role of the card. */
export function cardField(document: Document, role: Role): string | undefined {
  const fields = new Map(Object.keys(document).map((field) => [fieldNameOf(field), field]))
  const named = NAMES[role].find((name) => fields.has(name))
  if (named !== undefined) return fields.get(named)
  if (role !== 'title') return undefined
  return Object.keys(document).find(
    (field) => field !== 'id' && typeof document[field] === 'string',
  )
}

/** The title of a document; empty if it has none. */
export function titleOf(document: Document): string {
  const field = cardField(document, 'title')
  return field === undefined ? '' : textOf(document[field])
}

/** Prices of a list, each with its currency: all with two decimals if one has any. */
export function pricesOf(documents: readonly Document[]): string[] {
  const valueOf = (document: Document, role: Role): unknown => {
    const field = cardField(document, role)
    return field === undefined ? undefined : document[field]
  }
  const prices = documents.map((document) => valueOf(document, 'price'))
  const isExact = prices.some((price) => typeof price === 'number' && !Number.isInteger(price))
  return prices.map((price, place) => {
    if (price === undefined || price === null) return ''
    const amount = typeof price === 'number' && isExact ? price.toFixed(2) : price
    return [textOf(amount), textOf(valueOf(documents[place]!, 'currency') ?? '')].join(' ').trim()
  })
}

/** Formats a value for people. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ')
  return JSON.stringify(value) ?? ''
}
