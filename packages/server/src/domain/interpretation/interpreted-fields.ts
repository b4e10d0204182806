import { INTERPRETED_FIELDS_MAX, type GivenSettings } from '@aisle/contract'
import type { Schema } from '@aisle/engine'
import { isNamed } from '../documents/nested-fields.ts'
import { hasReadablePrice, hasReadableValues } from '../documents/readable-field.ts'
import { snakeCase } from '../documents/title-field.ts'
import { fieldOrdinal } from '../documents/field-lookup.ts'
import { productCard } from '../store/product-card.ts'

/** What the values of a field are; words such as `size` may announce them. */
export type FieldRole = 'brand' | 'category' | 'color' | 'size' | 'material'

export interface InterpretedField {
  readonly ordinal: number
  readonly name: string
  /** Undefined for a field that only the setting names. */
  readonly role: FieldRole | undefined
}

export interface InterpretedFields {
  readonly values: readonly InterpretedField[]
  readonly price: InterpretedField | undefined
}

/** Last parts of the names of fields, besides those of the product card. */
const names = (texts: string): readonly string[] => texts.split(', ')
const NAMES: Readonly<Record<'color' | 'size' | 'material', readonly string[]>> = {
  color: names(
    'color, colors, colour, colours, color_family, farbe, farben, couleur, couleurs, colores, colore, colori, kleur, kleuren, cor, cores, färg, farve, farge, kolor',
  ),
  size: names(
    'size, sizes, größe, größen, groesse, groessen, taille, tailles, pointure, talla, tallas, taglia, taglie, maat, maten, tamanho, tamanhos, storlek, størrelse, rozmiar',
  ),
  material: names(
    'material, materials, fabric, materialien, matière, matières, matiere, materiale, materiali, materiaal, tessuto, tejido, materiał',
  ),
}

/**
 * The fields that are read in queries: by default the brand and the category of the product card,
 * and colours, sizes and materials by their names. They are facets with texts, and not omitted.
 */
export function interpretedFields(
  schema: Schema,
  { interpretation = {}, product_card, omit_fields: omitted = [] }: GivenSettings,
): InterpretedFields {
  const { card } = productCard(schema, product_card)
  const roleOf = (name: string): FieldRole | undefined => {
    if (name === card.brand) return 'brand'
    if (name === card.category) return 'category'
    const last = snakeCase(name.slice(name.lastIndexOf('.') + 1))
    return (['color', 'size', 'material'] as const).find((role) => NAMES[role].includes(last))
  }
  const { fields: named, price_field: priceName = card.price } = interpretation
  const values = schema.fields.flatMap((field, ordinal): InterpretedField[] => {
    const { name } = field
    if (!hasReadableValues(field) || isNamed(name, omitted, schema)) return []
    const role = roleOf(name)
    const isMeant = named === undefined ? role !== undefined : named.includes(name)
    return isMeant ? [{ ordinal, name, role }] : []
  })
  return {
    values: values.slice(0, INTERPRETED_FIELDS_MAX),
    price: priceField(schema, priceName, omitted),
  }
}

function priceField(
  schema: Schema,
  name: string | null,
  omitted: readonly string[],
): InterpretedField | undefined {
  const ordinal = name === null ? undefined : fieldOrdinal(schema, name)
  const field = ordinal === undefined ? undefined : schema.fields[ordinal]
  if (ordinal === undefined || field === undefined || !hasReadablePrice(field)) return undefined
  if (isNamed(field.name, omitted, schema)) return undefined
  return { ordinal, name: field.name, role: undefined }
}
