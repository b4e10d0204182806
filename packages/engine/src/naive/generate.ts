import fc from 'fast-check'
import type { IndexDocument } from '../schema/document.ts'
import { packPlace } from '../places/place.ts'
import type {
  DocumentValue,
  ElementType,
  ElementValues,
  Field,
  FieldType,
  FieldValue,
  Scalar,
  Schema,
} from '../schema/schema.ts'
import { elementsAt, elementType, FIELD_TYPES, isArrayType } from '../schema/schema.ts'
import { arbitraryPlace, PLACES } from './generate-places.ts'
import { arbitraryVector } from './generate-vectors.ts'

/**
 * Generated schemas, documents and histories of writes, for tests that compare an engine with the
 * naive twin. The vocabulary is small and full of near-duplicates, so that inflections, joined and
 * split words, prefixes, misspellings, adjacent words and ties all occur within few documents.
 */

/** Words of documents. The first ones are frequent. */
const VOCABULARY = [
  'red shoe bed table spread shirt the run',
  'shoes shoo beds bedspread bedspreads t-shirt tshirt T shirts tablet tablets tabel tables',
  'running runner runs with for ready reds read shore house houses horse hose houseshoe runsoshoes',
  '10mm 10 mm 10-mm AB-12/3 ab123 ab 12 3 1/2 2.5 16gb ps4 ps 4 m8x12 usb2.5 m ma max',
  'Käse kase CAFÉ café ﬁt fit straße 東京 𐐀𐐁 naïve x',
  'C++ c# c red+ shoes# red/bed .net net #1 + ++ 👟 👩🏽‍💻 m+m',
].map((line) => line.split(' '))

/** Query words that no document contains, some similar to known ones. */
export const UNKNOWN_WORDS = (
  'tabl shoee rde bedspred bdespread runing hous hsoe redshoe shirtred tablett spraed zzzz ab12 b ' +
  'runners cafe kaese tableshoe c+ x# shoee+ 💻'
).split(' ')

/** A word of a document or a query. */
export function arbitraryWord(): fc.Arbitrary<string> {
  return fc.oneof(
    ...VOCABULARY.map((words, i) => ({
      arbitrary: fc.constantFrom(...words),
      weight: i === 0 ? 6 : 2,
    })),
  )
}

/** A text of a few words, rarely of none or of hundreds. */
export function arbitraryText(): fc.Arbitrary<string> {
  const separator = fc.oneof(
    { arbitrary: fc.constant(' '), weight: 10 },
    { arbitrary: fc.constantFrom('-', '/', ', ', ' – ', "'"), weight: 1 },
  )
  const words = fc
    .array(fc.tuple(arbitraryWord(), separator), { minLength: 1, maxLength: 7 })
    .map((parts) => parts.map(([word, after]) => word + after).join(''))
  return fc.oneof(
    { arbitrary: words, weight: 20 },
    { arbitrary: fc.constantFrom('', ' ', '–'), weight: 1 },
    {
      arbitrary: fc
        .tuple(words, fc.integer({ min: 2, max: 60 }))
        .map(([w, n]) => `${w} `.repeat(n)),
      weight: 2,
    },
  )
}

/** Whole values that repeat often: two spellings of one, and some with a common word. */
export const FACET_VALUES = [
  'Nike',
  'nike',
  'NIKE',
  'Red Shoe',
  'red shoe',
  'Red',
  'Café',
  '',
  'T-Shirt',
  'Ａ',
  '𐐀',
]

const VALUES: { readonly [type in Exclude<ElementType, 'vector'>]: fc.Arbitrary<Scalar> } = {
  string: fc.oneof(arbitraryText(), fc.constantFrom(...FACET_VALUES)),
  int32: fc.oneof(
    fc.integer({ min: -3, max: 12 }),
    fc.constantFrom(-(2 ** 31), 2 ** 31 - 1, 123, 10),
  ),
  int64: fc.oneof(
    fc.bigInt({ min: -2n, max: 12n }),
    fc.constantFrom(2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 63n), 2n ** 63n - 1n),
  ),
  float: fc.oneof(
    fc.integer({ min: -4, max: 8 }).map((quarters) => quarters / 4),
    fc.constantFrom(
      -0,
      0,
      0.1,
      0.30000000000000004,
      1e21,
      -1e-7,
      5e-324,
      1.7976931348623157e308 / 1e9,
    ),
  ),
  bool: fc.boolean(),
  geopoint: fc.oneof(arbitraryPlace(), fc.constantFrom(...PLACES)).map(packPlace),
  // Seconds; some are three months or a few milliseconds apart, some at the limits of ISO 8601.
  date: fc.oneof(
    fc.integer({ min: -2, max: 9 }).map((quarters) => 1_767_225_600 + quarters * 7_776_000),
    fc.integer({ min: 0, max: 9 }).map((ms) => (1_767_225_600_000 + ms) / 1000),
    fc.constantFrom(0, -0.001, -62_167_219_200, 253_402_300_799.999),
  ),
}

/** One value of a field, without the array around it. */
export function arbitraryElement(type: ElementType): fc.Arbitrary<Scalar> {
  if (type === 'vector') throw new Error('A vector has no elements')
  return VALUES[type]
}

/**
 * Fields of every type and role; the first is the title, the second the brand.
 *
 * @param vectors further fields; a cluster has none
 */
export function arbitrarySchema(
  vectors: fc.Arbitrary<Field[]> = fc.constant([]),
): fc.Arbitrary<Schema> {
  const extra = fc
    .record({
      type: fc.constantFrom(...FIELD_TYPES.filter((type) => type !== 'vector')),
      searchable: fc.boolean(),
      facet: fc.boolean(),
      sort: fc.boolean(),
      language: fc.constantFrom('de', undefined),
      symbols: fc.constantFrom('+', '#+', '', undefined, undefined),
      separators: fc.constantFrom('-', '-/', '', undefined, undefined),
    })
    .map(({ language, symbols, separators, ...field }) => ({
      ...field,
      ...(field.type === 'string' ? given({ language, symbols, separators }) : {}),
      sort: field.sort && !isArrayType(field.type),
      ...(elementType(field.type) === 'geopoint' ? { searchable: false, facet: false } : {}),
    }))
  const parts = fc.array(extra, { minLength: 1, maxLength: 3 })
  return fc
    .tuple(
      fc.boolean(),
      fc.array(extra, { maxLength: 7, size: 'max' }),
      fc.option(parts, { nil: [], freq: 2 }),
      vectors,
    )
    .map(([titleSort, extras, parts, vectors]) => ({
      fields: [
        { name: 'title', type: 'string', searchable: true, facet: false, sort: titleSort },
        { name: 'brand', type: 'string', searchable: true, facet: true, sort: true },
        ...extras.map((field, i): Field => ({ name: `field_${i + 2}`, ...field })),
        ...vectors,
        ...(parts.length === 0 ? [] : objectsWith(parts, extras.length + vectors.length + 2)),
      ],
    }))
}

function given<T extends object>(parts: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const entries = Object.entries(parts).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]?: NonNullable<T[K]> }
}

/** An `object[]` field and the fields of its elements. */
function objectsWith(parts: readonly Omit<Field, 'name'>[], objects: number): Field[] {
  const none = { searchable: false, facet: false, sort: false }
  return [
    { name: 'parts', type: 'object[]', ...none },
    ...parts.map((field, i): Field => {
      const type = isArrayType(field.type) ? field.type : (`${field.type}[]` as FieldType)
      const element = { objects, type: field.type }
      const declaredType = field.type
      return { name: `parts.part_${i}`, ...field, type, sort: false, element, declaredType }
    }),
  ]
}

/** Values of a document, by field ordinal; some are missing. */
export function arbitraryValues(schema: Schema): fc.Arbitrary<(DocumentValue | undefined)[]> {
  return fc
    .tuple(
      ...schema.fields.map((field, i): fc.Arbitrary<DocumentValue | undefined> => {
        if (field.element !== undefined) return fc.constant(undefined)
        const value = field.type === 'object[]' ? elementsOf(schema, i) : arbitraryValue(field, i)
        return fc.option<DocumentValue, undefined>(value, {
          nil: undefined,
          freq: i === 0 ? 20 : 4,
        })
      }),
    )
    .map((values) => withElementFields(schema, values))
}

function arbitraryValue({ type, vector }: Field, ordinal: number): fc.Arbitrary<FieldValue> {
  if (vector !== undefined) return arbitraryVector(vector.dimensions)
  const element = ordinal === 0 ? arbitraryText() : arbitraryElement(elementType(type))
  return isArrayType(type) ? fc.array(element, { maxLength: 4 }) : element
}

function elementsOf(schema: Schema, objects: number): fc.Arbitrary<readonly ElementValues[]> {
  const members = schema.fields.flatMap((field, ordinal) => {
    if (field.element?.objects !== objects) return []
    const value = arbitraryValue({ ...field, type: field.element.type }, ordinal)
    return [fc.tuple(fc.constant(ordinal), fc.option(value, { nil: undefined, freq: 4 }))]
  })
  const element = fc
    .tuple(...members)
    .map((values) => new Map(values.filter((pair) => pair[1] !== undefined)) as ElementValues)
  return fc.array(element, { maxLength: 4 })
}

/** Fields of elements contain the values of all elements. */
export function withElementFields(
  { fields }: Schema,
  values: readonly (DocumentValue | undefined)[],
): (DocumentValue | undefined)[] {
  return values.map((value, ordinal) => {
    const objects = fields[ordinal]!.element?.objects
    if (objects === undefined) return value
    const found = elementsAt(values, objects).flatMap((element) => element.get(ordinal) ?? [])
    return found.length === 0 ? undefined : found
  })
}

/** A step in the history of an index, with assigned docKeys. A removal precedes the new version. */
export type IndexStep =
  | { readonly kind: 'add'; readonly document: IndexDocument }
  | { readonly kind: 'remove'; readonly docKey: number; readonly id: string }
  | { readonly kind: 'commit' }
  | { readonly kind: 'merge' }
  /** The schema grows. */
  | { readonly kind: 'schema'; readonly schema: Schema }

/** The history of an index. Its last steps complete the schema and commit. */
export interface History {
  readonly initialSchema: Schema
  readonly schema: Schema
  readonly steps: readonly IndexStep[]
}

type Operation =
  | {
      readonly kind: 'put'
      readonly id: number
      readonly copies: number
      readonly values: readonly (DocumentValue | undefined)[]
    }
  | { readonly kind: 'remove'; readonly id: number }
  | { readonly kind: 'commit' | 'merge' | 'grow' }

/**
 * Number of ids that single documents share, so that they replace each other; copies get higher
 * numbers.
 */
const IDS_COUNT = 60

/** @param copiesMax maximum number of documents that one operation adds with the same values */
export function arbitraryHistory(schema: Schema, copiesMax = 40): fc.Arbitrary<History> {
  const id = fc.nat(IDS_COUNT - 1)
  const values = arbitraryValues(schema)
  const put = fc.record({ kind: fc.constant('put' as const), id, copies: fc.constant(1), values })
  const copies = fc.integer({ min: 2, max: copiesMax })
  const operation: fc.Arbitrary<Operation> = fc.oneof(
    { arbitrary: put, weight: 30 },
    { arbitrary: fc.record({ kind: fc.constant('put' as const), id, copies, values }), weight: 2 },
    { arbitrary: fc.record({ kind: fc.constant('remove' as const), id }), weight: 4 },
    {
      arbitrary: fc.record({ kind: fc.constantFrom('commit' as const, 'merge', 'grow') }),
      weight: 4,
    },
  )
  return fc
    .record({
      operations: fc.array(operation, { maxLength: 80, size: 'max' }),
      initialFieldCount: fc.integer({ min: 2, max: schema.fields.length }),
      firstDocKey: fc.constantFrom(1, 2 ** 32 - 9),
    })
    .map(({ operations, initialFieldCount, firstDocKey }) =>
      resolve(operations, schema, initialFieldCount, firstDocKey),
    )
}

/** The values of a document under the first fields of its schema. */
function valuesOfFirst(
  values: readonly (DocumentValue | undefined)[],
  fieldCount: number,
): (DocumentValue | undefined)[] {
  return values.slice(0, fieldCount).map((value) => {
    const isElements = Array.isArray(value) && value[0] instanceof Map
    if (!isElements) return value
    return (value as readonly ElementValues[]).map(
      (element) => new Map([...element].filter(([field]) => field < fieldCount)),
    )
  })
}

function resolve(
  operations: readonly Operation[],
  schema: Schema,
  initialFieldCount: number,
  firstDocKey: number,
): History {
  const steps: IndexStep[] = []
  const docKeys = new Map<string, number>()
  const inserted = new Map<string, number>()
  let fieldCount = initialFieldCount
  let nextDocKey = firstDocKey
  const remove = (id: string) => {
    const docKey = docKeys.get(id)
    if (docKey !== undefined) steps.push({ kind: 'remove', docKey, id })
    docKeys.delete(id)
  }
  const grow = () => {
    fieldCount++
    steps.push({ kind: 'schema', schema: { fields: schema.fields.slice(0, fieldCount) } })
  }
  for (const operation of operations) {
    switch (operation.kind) {
      case 'put':
        for (let copy = 0; copy < operation.copies; copy++) {
          const id = copy === 0 ? `id-${operation.id}` : `id-${operation.id}-${copy}`
          remove(id)
          docKeys.set(id, nextDocKey)
          if (!inserted.has(id)) inserted.set(id, nextDocKey)
          const values = valuesOfFirst(operation.values, fieldCount)
          steps.push({
            kind: 'add',
            document: { docKey: nextDocKey++, inserted: inserted.get(id)!, id, values },
          })
        }
        break
      case 'remove':
        remove(`id-${operation.id}`)
        inserted.delete(`id-${operation.id}`)
        break
      case 'grow':
        if (fieldCount < schema.fields.length) grow()
        break
      default:
        steps.push({ kind: operation.kind })
    }
  }
  while (fieldCount < schema.fields.length) grow()
  steps.push({ kind: 'commit' })
  return { initialSchema: { fields: schema.fields.slice(0, initialFieldCount) }, schema, steps }
}
