import type { StoreSettings, SuggestionsResponse } from '@aisle/contract'
import { ownValue } from '../format/own-value.ts'

/** The field for each part of a product, from the settings of the store. */
export type ProductCardFields = StoreSettings['product_card']

/** The parts of a product on a card; absent if the document lacks them. */
export interface ProductFacts {
  readonly title: string
  readonly image?: string
  readonly price?: number | string
  readonly currency?: string
  readonly brand?: string
  readonly category?: string
}

type Fields = Readonly<Record<string, unknown>>

/** @param document as a hit has it: fields may be left out of it */
export function productFacts(
  id: string,
  document: Fields,
  card: ProductCardFields | undefined,
): ProductFacts {
  const text = (field: string | null | undefined): string | undefined => {
    const value = field === null || field === undefined ? undefined : ownValue(document, field)
    const first: unknown = Array.isArray(value) ? value.at(-1) : value
    if (typeof first === 'string') return first === '' ? undefined : first
    return typeof first === 'number' ? String(first) : undefined
  }
  const price =
    card?.price === null || card === undefined ? undefined : ownValue(document, card.price)
  const facts = {
    image: firstText(card?.image === null ? undefined : ownValue(document, card?.image ?? '')),
    price: typeof price === 'number' || typeof price === 'string' ? price : undefined,
    currency: text(card?.currency),
    brand: text(card?.brand),
    category: text(card?.category),
  }
  const known = Object.entries(facts).filter(([, value]) => value !== undefined)
  return { title: text(card?.title) ?? id, ...Object.fromEntries(known) }
}

/**
 * A picture that the page's policy allows: part of the document, of the service itself, or of one
 * of these hosts. Undefined: it may not be loaded.
 *
 * @param hosts origins from the session, with `*.` for every host below
 */
export function shownImage(image: string, hosts: readonly string[]): string | undefined {
  if (/^(data:image\/|\/(?!\/))/.test(image)) return image
  const url = URL.parse(image.startsWith('//') ? `https:${image}` : image)
  if (url === null) return undefined
  return hosts.some((host) => isFrom(url, host)) ? url.href : undefined
}

function isFrom({ origin, protocol, hostname, port }: URL, host: string): boolean {
  const [scheme, rest] = host.split('//*')
  if (rest === undefined) return origin === host
  // `.example.com`, with a port where it is not that of https.
  const [domain, wantedPort = ''] = rest.split(':')
  return protocol === scheme && port === wantedPort && hostname.endsWith(domain!)
}

function firstText(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value
  return typeof first === 'string' ? first : undefined
}

/** For a missing picture: the first letter of the category, brand or title. */
export function productInitial({ category, brand, title }: ProductFacts): string {
  const name = category?.split('>').at(-1)?.trim() ?? brand ?? title
  return [...name.trim()][0]?.toUpperCase() ?? '·'
}

type Card = NonNullable<SuggestionsResponse['dropdown_product_list']>[number]

/**
 * A product card from the service in the form of these pages; pictures from other hosts are not
 * loaded.
 */
export function cardFacts({ id, title, image, price, currency }: Card): ProductFacts {
  const shown = image === null ? undefined : shownImage(image, [])
  return {
    title: title ?? id,
    ...(shown === undefined ? {} : { image: shown }),
    ...(typeof price === 'number' || typeof price === 'string' ? { price } : {}),
    ...(currency === null ? {} : { currency }),
  }
}
