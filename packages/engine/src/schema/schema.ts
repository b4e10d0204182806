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

/** The type of a single value. */
export type ElementType = 'string' | 'int32' | 'int64' | 'float' | 'bool'

/** A named, typed part of a document, with the roles it plays in a search. */
export interface Field {
  readonly name: string
  readonly type: FieldType
  /** Whether the words of a query match its text. */
  readonly searchable: boolean
  /** Whether it can be filtered by value and counted. */
  readonly facet: boolean
  /** Whether results can be ordered by it. It can then also be filtered by value. */
  readonly sort: boolean
  /** BCP 47 tag of the language of its text. Absent: the store's. */
  readonly language?: string
}

/**
 * The fields of a store. A field's index in `fields` is its **field ordinal**. Additive changes
 * append fields, so an ordinal keeps its meaning for the life of the index.
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

/** Whether a field needs a column of values: yes if it is used for more than words. */
export function hasColumn(field: Field): boolean {
  return field.facet || field.sort
}
