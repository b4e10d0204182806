/** The types of values a field can have. The `[]` types hold any number of values. */
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
] as const

/**
 * The types of fields that hold other fields, not values: those named `<name>.<field>`. They have
 * no role of their own.
 */
export const OBJECT_TYPES = ['object', 'object[]'] as const

export type FieldType = (typeof FIELD_TYPES)[number] | (typeof OBJECT_TYPES)[number]

/**
 * The type of a single value. A `date` is a moment: seconds since 1970 as a number with at most
 * three decimals.
 */
export type ElementType = 'string' | 'int32' | 'int64' | 'float' | 'bool' | 'date' | 'geopoint'

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
  /** Characters that are part of words, in any order. Absent: those of the store. */
  readonly symbols?: string
  /** Characters that are like a space, likewise. */
  readonly separators?: string
  /**
   * A field of the elements of an `object[]` field. Its own `type` is then an array type: the
   * values of all elements together, which is what words, facets and plain filters look at.
   */
  readonly element?: ElementPart
  /** Of such a field: its type inside its object, as a document has it. Absent: `type`. */
  readonly declaredType?: FieldType
  /** Name of the pattern that added it when a document brought it. Absent: it was declared. */
  readonly pattern?: string
}

/** What becomes of members of an object that are not declared: `specs.*`. */
export interface FieldPattern extends Pick<
  Field,
  'searchable' | 'facet' | 'sort' | 'language' | 'symbols' | 'separators'
> {
  readonly name: string
  /** Name of the object whose members it is about: `specs`. */
  readonly object: string
  /** Of every field that it adds. Absent: the first value of a field decides. */
  readonly type?: FieldType
}

/** Where a field of the elements of an `object[]` field belongs. */
export interface ElementPart {
  /** Ordinal of the `object[]` field. */
  readonly objects: number
  /** Type of its values in one element: an array type if there is a further array between. */
  readonly type: FieldType
}

/**
 * The fields of a store. A field's index in `fields` is its **field ordinal**. Additive changes
 * append fields, so an ordinal keeps its meaning for the life of the index.
 */
export interface Schema {
  readonly fields: readonly Field[]
  /** Which fields documents may add. The engine itself does not look at them. */
  readonly patterns?: readonly FieldPattern[]
}

/**
 * The value of one field: int64 as bigint (exact), int32, float and date as number, a geopoint as
 * `packPlace` makes it.
 */
export type Scalar = string | number | bigint | boolean
export type FieldValue = Scalar | readonly Scalar[]

/**
 * One element of an `object[]` field: its values by field ordinal, those that it lacks left out.
 */
export type ElementValues = ReadonlyMap<number, FieldValue>

/** What a document has at a field ordinal; at that of an `object[]` field, its elements. */
export type DocumentValue = FieldValue | readonly ElementValues[]

/** The values of a field of values. */
export function fieldValue(
  values: readonly (DocumentValue | undefined)[],
  field: number,
): FieldValue | undefined {
  return values[field] as FieldValue | undefined
}

/** The elements of an `object[]` field, none if the document lacks it. */
export function elementsAt(
  values: readonly (DocumentValue | undefined)[],
  field: number,
): readonly ElementValues[] {
  return (values[field] ?? []) as readonly ElementValues[]
}

export function isObjectType(type: FieldType): boolean {
  return type === 'object' || type === 'object[]'
}

/** Fields of the elements of an `object[]` field that can be filtered element by element. */
export function elementFields(schema: Schema, objects: number): number[] {
  return schema.fields.flatMap((field, ordinal) =>
    field.element?.objects === objects && hasColumn(field) ? [ordinal] : [],
  )
}

/** The type of the values of a field of values. */
export function elementType(type: FieldType): ElementType {
  return (type.endsWith('[]') ? type.slice(0, -2) : type) as ElementType
}

export function isArrayType(type: FieldType): boolean {
  return type.endsWith('[]')
}

/**
 * Whether a field needs a column of values: yes if it is used for more than words. A place is
 * always good for filters by area and for the order by distance, whatever its roles.
 */
export function hasColumn(field: Field): boolean {
  return field.facet || field.sort || isPlace(field)
}

export function isPlace({ type }: Field): boolean {
  return elementType(type) === 'geopoint'
}

/** Whether its values are numbers, which have an order and ranges. */
export function isNumeric({ type }: Field): boolean {
  const element = elementType(type)
  return element !== 'string' && element !== 'bool' && element !== 'geopoint'
}
