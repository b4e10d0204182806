import type { GivenSettings } from '@aisle/contract'
import { fieldOrdinal } from '../documents/field-lookup.ts'
import { isNamed } from '../documents/nested-fields.ts'
import { hasReadablePrice, hasReadableValues } from '../documents/readable-field.ts'
import { interpretedFields } from '../interpretation/interpreted-fields.ts'
import { productCard } from '../store/product-card.ts'
import type { Schema } from '@aisle/engine'

export interface TasteField {
  readonly ordinal: number
  readonly name: string
}

/** The fields in which visitors of a store may have a taste. */
export interface TasteFields {
  /** Facets with texts. */
  readonly values: readonly TasteField[]
  readonly price: TasteField | undefined
  /** Place in `values` of the category, in which prices are compared; undefined: none. */
  readonly category: number | undefined
}

type TasteSettings = Pick<GivenSettings, 'ranking' | 'product_card' | 'omit_fields'>

const known = new WeakMap<Schema, WeakMap<object, TasteFields>>()

/**
 * Fields that the setting names, else brand, category and price of the product card and sizes by
 * their names. A field that a later schema changed is left out, and so are omitted ones, because
 * the reasons of personal results name values.
 */
export function tasteFields(schema: Schema, settings: TasteSettings): TasteFields {
  const bySettings = known.get(schema) ?? new WeakMap<object, TasteFields>()
  known.set(schema, bySettings)
  let fields = bySettings.get(settings)
  if (fields === undefined) bySettings.set(settings, (fields = readFields(schema, settings)))
  return fields
}

function readFields(schema: Schema, settings: TasteSettings): TasteFields {
  const { ranking, product_card, omit_fields: omitted = [] } = settings
  const given = ranking?.personalize?.fields
  const { category } = productCard(schema, product_card).card
  const named =
    given === undefined
      ? guessed(schema, settings)
      : given.flatMap((name): TasteField[] => {
          const ordinal = fieldOrdinal(schema, name)
          return ordinal === undefined || isNamed(name, omitted, schema) ? [] : [{ ordinal, name }]
        })
  const values = named.filter(({ ordinal }) => hasReadableValues(schema.fields[ordinal]!))
  const price = named.find(({ ordinal }) => hasReadablePrice(schema.fields[ordinal]!))
  const place = values.findIndex(({ name }) => name === category)
  return { values, price, category: place < 0 ? undefined : place }
}

const GUESSED_ROLES: ReadonlySet<string | undefined> = new Set(['brand', 'category', 'size'])

function guessed(schema: Schema, { product_card, omit_fields }: TasteSettings): TasteField[] {
  const { values, price } = interpretedFields(schema, {
    ...(product_card === undefined ? {} : { product_card }),
    ...(omit_fields === undefined ? {} : { omit_fields }),
  })
  const tastes = values.filter(({ role }) => GUESSED_ROLES.has(role))
  return price === undefined ? tastes : [...tastes, price]
}
