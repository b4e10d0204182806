import { CARD_ROLES, type GivenSettings } from '@aisle/contract'
import { elementType, isArrayType, isPlace, type Field, type Schema } from '@aisle/engine'
import { snakeCase, TITLE_NAMES } from '../documents/title-field.ts'

type CardRole = (typeof CARD_ROLES)[number]

/** The field for each role of a product card; null: none. */
export type ProductCard = Readonly<Record<CardRole, string | null>> & {
  readonly metadata: readonly string[]
}

/** Names of fields for each role, the likeliest first. */
const NAMES: Readonly<Record<CardRole, readonly string[]>> = {
  title: [
    ...TITLE_NAMES,
    'titel',
    'bezeichnung',
    'produktname',
    'titre',
    'nom',
    'título',
    'titolo',
  ],
  url: ['url', 'link', 'href', 'product_url', 'product_link', 'permalink', 'page_url'],
  image: [
    'image',
    'image_url',
    'image_link',
    'thumbnail',
    'thumbnail_url',
    'picture',
    'photo',
    'img',
    'images',
    'image_urls',
    'bild',
    'imagen',
    'immagine',
  ],
  price: [
    'price',
    'sale_price',
    'current_price',
    'final_price',
    'selling_price',
    'discounted_price',
    'amount',
    'preis',
    'verkaufspreis',
    'prix',
    'precio',
    'prezzo',
    'prijs',
  ],
  currency: ['currency', 'currency_code', 'price_currency'],
  category: [
    'category',
    'categories',
    'product_type',
    'product_category',
    'category_name',
    'main_category',
    'primary_category',
    'top_category',
    'default_category',
    'category_path',
    'google_product_category',
    'sub_categories',
    'department',
    'kategorie',
    'kategorien',
    'hauptkategorie',
    'warengruppe',
    'catégorie',
    'catégories',
    'categorie',
    'categoria',
    'categoría',
    'categorías',
    'kategori',
    'kategoria',
  ],
  brand: [
    'brand',
    'brands',
    'brand_name',
    'manufacturer',
    'vendor',
    'maker',
    'label',
    'marke',
    'hersteller',
    'marque',
    'marca',
    'merk',
  ],
}

/**
 * The product card of a store: configured fields, and for other roles the field with a matching
 * name.
 */
export function productCard(
  schema: Schema,
  given: GivenSettings['product_card'] = {},
): { readonly card: ProductCard; readonly guessed: readonly CardRole[] } {
  const guessed: CardRole[] = []
  const roles = CARD_ROLES.map((role) => {
    const set = given[role]
    if (set !== undefined) return [role, set] as const
    const field = guessesOf(schema).get(role)
    if (field !== undefined) guessed.push(role)
    return [role, field ?? null] as const
  })
  const card = Object.fromEntries(roles) as Record<CardRole, string | null>
  return { card: { ...card, metadata: given.metadata ?? [] }, guessed }
}

const guessesBySchema = new WeakMap<Schema, ReadonlyMap<CardRole, string | undefined>>()

/** The field by role, from names and types. */
function guessesOf(schema: Schema): ReadonlyMap<CardRole, string | undefined> {
  let guesses = guessesBySchema.get(schema)
  if (guesses === undefined) {
    const named = schema.fields.map((field) => ({ field, name: snakeCase(field.name) }))
    guesses = new Map(CARD_ROLES.map((role) => [role, guess(role, named)]))
    guessesBySchema.set(schema, guesses)
  }
  return guesses
}

function guess(
  role: CardRole,
  named: readonly { readonly field: Field; readonly name: string }[],
): string | undefined {
  for (const wanted of NAMES[role]) {
    const found = named.find(({ field, name }) => name === wanted && fits(role, field))
    if (found !== undefined) return found.field.name
  }
  return undefined
}

function fits(role: CardRole, field: Field): boolean {
  const { type } = field
  const isText = elementType(type) === 'string'
  const isNumber = !isArrayType(type) && type !== 'bool' && type !== 'object' && !isPlace(field)
  if (role === 'price') return isNumber
  if (role === 'image' || role === 'category' || role === 'brand') return isText
  return isText && !isArrayType(type)
}
