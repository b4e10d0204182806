import {
  elementType,
  isArrayType,
  LENGTH_NORM_OTHER,
  LENGTH_NORM_TITLE,
  type Field,
  type Schema,
} from '@aisle/engine'
import { snakeCase, titleFieldOf } from './title-field.ts'

/** Default weight of a word in each field, by field ordinal. */
export interface Salience {
  readonly weights: readonly number[]
  readonly lengthNorms: readonly number[]
  /** -1: no field has a title-like name. */
  readonly titleField: number
}

/** Measured on judged queries; see docs/ranking.md. */
const WEIGHT_TITLE = 5
const WEIGHT_BRAND = 2
const WEIGHT_TEXT = 1
const WEIGHT_ATTRIBUTE = 0.5

const BRAND_NAMES: ReadonlySet<string> = new Set([
  'brand',
  'brand_name',
  'manufacturer',
  'manufacturer_name',
  'vendor',
  'vendor_name',
  'maker',
  'author',
  'authors',
  'artist',
  'artists',
  'designer',
])

const salienceBySchema = new WeakMap<Schema, Salience>()

/** The salience of a schema's fields, from their names and types. */
export function fieldSalience(schema: Schema): Salience {
  let salience = salienceBySchema.get(schema)
  if (salience === undefined) {
    const titleField = titleFieldOf(schema)
    salience = {
      weights: schema.fields.map((field, ordinal) =>
        ordinal === titleField ? WEIGHT_TITLE : weightOf(field),
      ),
      lengthNorms: schema.fields.map((_, ordinal) =>
        ordinal === titleField ? LENGTH_NORM_TITLE : LENGTH_NORM_OTHER,
      ),
      titleField,
    }
    salienceBySchema.set(schema, salience)
  }
  return salience
}

function weightOf(field: Field): number {
  if (!field.searchable) return 0
  if (elementType(field.type) !== 'string') return WEIGHT_ATTRIBUTE
  if (BRAND_NAMES.has(snakeCase(field.name))) return WEIGHT_BRAND
  return isArrayType(field.type) ? WEIGHT_ATTRIBUTE : WEIGHT_TEXT
}
