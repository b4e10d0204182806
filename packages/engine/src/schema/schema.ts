/** The types of field values. The `[]` types have any number of values. */
export const FIELD_TYPES = [
  'string',
  'int32',
  'int64',
  'float',
  'bool',
  'date',
  'string[]',
  'int32[]',
  'int64[]',
  'float[]',
  'bool[]',
  'date[]',
  'geopoint',
  'geopoint[]',
  'vector',
] as const

/**
 * Types of fields that contain other fields instead of values: those named `<name>.<field>`. They
 * have no roles.
 */
export const OBJECT_TYPES = ['object', 'object[]'] as const

export type FieldType = (typeof FIELD_TYPES)[number] | (typeof OBJECT_TYPES)[number]

/**
 * The type of a single value. A `date` is a moment: seconds since 1970 as a number with at most
 * three decimals.
 */
export type ElementType =
  | 'string'
  | 'int32'
  | 'int64'
  | 'float'
  | 'bool'
  | 'date'
  | 'geopoint'
  | 'vector'

/** A named, typed part of a document, with its roles in a search. */
export interface Field {
  readonly name: string
  readonly type: FieldType
  /** Whether the words of a query match its text. */
  readonly searchable: boolean
  /** Whether it can be filtered by value and counted as a facet. */
  readonly facet: boolean
  /** Whether results can be ordered by it. It can then also be filtered by value. */
  readonly sort: boolean
  /** BCP 47 tag of the language of its text. Absent: the store's. */
  readonly language?: string
  /** Characters that are part of words, in any order. Absent: those of the store. */
  readonly symbols?: string
  /** Characters treated as spaces, likewise. */
  readonly separators?: string
  /**
   * For a field of the elements of an `object[]` field. Its `type` is then an array type with the
   * values of all elements, which words, facets and plain filters use.
   */
  readonly element?: ElementPart
  /** The type of such a field inside its object, as in a document. Absent: `type`. */
  readonly declaredType?: FieldType
  /**
   * Whether a list may be written as its only value, without brackets. Since a change of type made
   * it a list, documents from before have it so.
   */
  readonly takesSingle?: true
  /** Name of the pattern that added it from a document. Absent: it was declared. */
  readonly pattern?: string
  /** For a `vector`: how many numbers it has, and how two of them are compared. */
  readonly vector?: VectorShape
}

/** What a `vector` field says about its vectors. */
export interface VectorShape {
  readonly dimensions: number
  readonly metric: VectorMetric
}

/** `cosine` compares directions only; `dot` is the scalar product, to which lengths count. */
export type VectorMetric = 'cosine' | 'dot'

/** How undeclared members of an object become fields: `specs.*`. */
export interface FieldPattern extends Pick<
  Field,
  'searchable' | 'facet' | 'sort' | 'language' | 'symbols' | 'separators'
> {
  readonly name: string
  /** Name of the object: `specs`. */
  readonly object: string
  /** Type of all fields that it adds. Absent: the first value of a field decides. */
  readonly type?: FieldType
}

/** The `object[]` field that a field of its elements belongs to. */
export interface ElementPart {
  /** Ordinal of the `object[]` field. */
  readonly objects: number
  /** Type of its values in one element: an array type if there is another array in between. */
  readonly type: FieldType
}

/**
 * The fields of a store. The index of a field in `fields` is its **field ordinal**. Additive
 * changes append fields, so an ordinal keeps its meaning for the life of the index.
 */
export interface Schema {
  readonly fields: readonly Field[]
  /** The fields that documents may add. The engine does not use them. */
  readonly patterns?: readonly FieldPattern[]
  /** The kinds of own vectors that documents have. Absent: none. */
  readonly spaces?: readonly VectorSpace[]
}

/**
 * Vectors that a service makes of documents, at most one per document and space. No field has them:
 * they are compared under the field number `spaceField(space)`.
 */
export interface VectorSpace {
  /** From 1; never used again for other vectors of the store. */
  readonly number: number
  readonly dimensions: number
  /** What made them, from which fields. The engine does not use these. */
  readonly embedder: string
  readonly fingerprint: string
  readonly fields: readonly string[]
}

/** The number under which plans and sections name the vectors of a space: below those of fields. */
export function spaceField({ number }: Pick<VectorSpace, 'number'>): number {
  return -number
}

/** The vectors of a field, or of a space; undefined if it has none. */
export function vectorShape({ fields, spaces }: Schema, field: number): VectorShape | undefined {
  if (field >= 0) return fields[field]!.vector
  const space = spaces?.find((one) => spaceField(one) === field)
  return space === undefined ? undefined : { dimensions: space.dimensions, metric: 'cosine' }
}

/**
 * The value of one field: int64 as bigint (exact), int32, float and date as number, a geopoint as
 * by `packPlace`.
 */
export type Scalar = string | number | bigint | boolean
/** The value of a field: an array for the `[]` types and for a `vector`. */
export type FieldValue = Scalar | readonly Scalar[]

/** One element of an `object[]` field: its values by field ordinal, without missing ones. */
export type ElementValues = ReadonlyMap<number, FieldValue>

/** The value of a document at a field ordinal; for an `object[]` field, its elements. */
export type DocumentValue = FieldValue | readonly ElementValues[]

/** The values of a field that is not an `object[]`. */
export function fieldValue(
  values: readonly (DocumentValue | undefined)[],
  field: number,
): FieldValue | undefined {
  return values[field] as FieldValue | undefined
}

/** The elements of an `object[]` field; none if the document lacks it. */
export function elementsAt(
  values: readonly (DocumentValue | undefined)[],
  field: number,
): readonly ElementValues[] {
  return (values[field] ?? []) as readonly ElementValues[]
}

export function isObjectType(type: FieldType): boolean {
  return type === 'object' || type === 'object[]'
}

/** Fields of the elements of an `object[]` field that can be filtered per element. */
export function elementFields(schema: Schema, objects: number): number[] {
  return schema.fields.flatMap((field, ordinal) =>
    field.element?.objects === objects && hasColumn(field) ? [ordinal] : [],
  )
}

/** The type of a single value of the field type. */
export function elementType(type: FieldType): ElementType {
  return (type.endsWith('[]') ? type.slice(0, -2) : type) as ElementType
}

export function isArrayType(type: FieldType): boolean {
  return type.endsWith('[]')
}

/**
 * Whether a field needs a column of values: if it is used for more than words. Places always
 * support area filters and sorting by distance, regardless of roles.
 */
export function hasColumn(field: Field): boolean {
  return field.facet || field.sort || isPlace(field)
}

export function isPlace({ type }: Field): boolean {
  return elementType(type) === 'geopoint'
}

/** Whether its values are numbers, with an order and ranges. */
export function isNumeric({ type }: Pick<Field, 'type'>): boolean {
  const element = elementType(type)
  return element !== 'string' && element !== 'bool' && element !== 'geopoint' && !isVector({ type })
}

export function isVector({ type }: Pick<Field, 'type'>): boolean {
  return type === 'vector'
}
