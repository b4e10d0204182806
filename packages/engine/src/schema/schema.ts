/** The types a field can have. The `[]` types hold any number of values. */
export const FIELD_TYPES = [
  'string',
  'int32',
  'int64',
  'float',
  'bool',
  'string[]',
  'int32[]',
  'int64[]',
  'float[]',
  'bool[]',
] as const

export type FieldType = (typeof FIELD_TYPES)[number]

/** What the values of a field are, one by one. */
export type ElementType = 'string' | 'int32' | 'int64' | 'float' | 'bool'

/** A named, typed part of a document, with the roles it plays in a search. */
export interface Field {
  readonly name: string
  readonly type: FieldType
  /** Its text is matched by the words of a query. */
  readonly searchable: boolean
  /** It can be filtered by value and counted. */
  readonly facet: boolean
  /** Results can be ordered by it (and it can be filtered by value). */
  readonly sort: boolean
  /** BCP 47 tag of the language of its text. Absent: the store's. */
  readonly language?: string
}

/**
 * The fields of a store. A field's place in `fields` is its **field ordinal**: additive changes
 * append, so an ordinal never changes its meaning while the index lives.
 */
export interface Schema {
  readonly fields: readonly Field[]
}

/** The value of one field: int64 as bigint (exact), int32 and float as number. */
export type Scalar = string | number | bigint | boolean
export type FieldValue = Scalar | readonly Scalar[]

export function elementType(type: FieldType): ElementType {
  return (type.endsWith('[]') ? type.slice(0, -2) : type) as ElementType
}

export function isArrayType(type: FieldType): boolean {
  return type.endsWith('[]')
}

/** A field has a column of values when something other than words is asked of it. */
export function hasColumn(field: Field): boolean {
  return field.facet || field.sort
}
