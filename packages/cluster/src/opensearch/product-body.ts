import { elementsAt, unpackPlace } from '@aisle/engine'
import type { DocumentValue } from '@aisle/engine'
import { slotName } from './field-slots.ts'
import { packOwnVectors, unpackOwnVectors, type OwnVector } from './own-vectors.ts'
import type { ProductShape } from './product-shape.ts'
import { elementWordMembers, wordMembers } from './product-words.ts'
import { vectorsOf } from './product-vectors.ts'
import { presenceTerm, shortValue, valueTerm, vectorlessTerm, vectorTerm } from './product-terms.ts'

/** A document to write. */
export interface Product {
  readonly id: string
  /** Number of the write: unique in the store, later ones are greater. */
  readonly docKey: number
  /** The docKey of the first version since it was inserted. */
  readonly inserted: number
  /** The bytes of its data, as JSON text. */
  readonly json: string
  /** Milliseconds since 1970. */
  readonly writtenMs: number
  /** Values by field ordinal. */
  readonly values: readonly (DocumentValue | undefined)[]
  /** What models have made of its text as it is now; absent: nothing yet. */
  readonly own?: readonly OwnVector[]
}

/**
 * Builds the body of a document for the cluster: one line of JSON. All terms come from our
 * analyzer; the cluster adds none. docs/cluster-index.md describes each part.
 *
 * Its words are nearly all of it. They are joined as text, because objects with a member for each
 * take a third longer.
 *
 * @param operation distinguishes a repeated write from a new one
 */
export function productBody(shape: ProductShape, product: Product, operation: string): string {
  const { scope } = shape
  const { id, docKey, inserted, json, writtenMs, own = [] } = product
  const members = JSON.stringify({
    scope,
    id,
    key: docKey,
    inserted,
    json,
    bytes: Buffer.byteLength(json),
    writtenMs,
    operation: storedOperation({ operation, inserted, own }),
    present: [presentFields(scope, product), ...presentVectors(scope, own)].join(' '),
    ...columnsOf(shape, product),
    ...vectorsOf(shape.schema, product),
  }).slice(0, -1)
  return `${[members, ...wordMembers(shape, product), ...elementsMember(shape, product)].join()}}`
}

interface Operation {
  /** The id of the last write. */
  readonly operation: string
  /** The docKey of the first version; absent if an older version wrote it. */
  readonly inserted?: number
  readonly own: readonly OwnVector[]
}

/** Separates the vectors; neither Base64 nor an id has it. */
const OWN_VECTORS = ' ~'

/** `operation` as stored: older indices keep no other field that is not searched. */
function storedOperation({ operation, inserted, own }: Operation): string {
  const vectors = own.length === 0 ? '' : `${OWN_VECTORS}${packOwnVectors(own)}`
  return `${inserted} ${operation}${vectors}`
}

export function partsOfOperation(stored: string): Operation {
  const [written = '', vectors = ''] = stored.split(OWN_VECTORS)
  const own = unpackOwnVectors(vectors)
  const end = written.indexOf(' ')
  const inserted = Number(written.slice(0, Math.max(0, end)))
  return inserted > 0
    ? { operation: written.slice(end + 1), inserted, own }
    : { operation: written, own }
}

/** The columns that elements have too, because filters use them. */
const OF_ELEMENT = /^(?:folded|long|double|place)\d/

/** The elements of `object[]` fields, each with its own values. */
function elementsMember(shape: ProductShape, { values, ...own }: Product): string[] {
  const { scope, schema } = shape
  const elements = schema.fields.flatMap(({ type }, objects) => {
    if (type !== 'object[]') return []
    return elementsAt(values, objects).map((element) => {
      const ofElement = schema.fields.map((_, field) => element.get(field))
      const product = { ...own, values: ofElement, json: '', writtenMs: 0 }
      const columns = Object.entries(columnsOf(shape, product))
      const members = JSON.stringify({
        of: presenceTerm(scope, objects),
        present: presentFields(scope, product),
        ...Object.fromEntries(columns.filter(([name]) => OF_ELEMENT.test(name))),
      }).slice(0, -1)
      return `${[members, ...elementWordMembers(shape, product)].join()}}`
    })
  })
  return elements.length === 0 ? [] : [`"elements":[${elements.join()}]`]
}

function presentFields(scope: string, { values }: Product): string {
  const present = values.flatMap((value, field) =>
    value === undefined || (Array.isArray(value) && value.length === 0)
      ? []
      : [presenceTerm(scope, field)],
  )
  return present.join(' ')
}

/** Tells documents whose text a model has read from those that it has still to read. */
function presentVectors(scope: string, own: readonly OwnVector[]): string[] {
  return own.map(({ space, codes }) =>
    codes.length === 0 ? vectorlessTerm(scope, space) : vectorTerm(scope, space),
  )
}

/** Values for filters, facets and sorting. Repeated values of a document count once. */
function columnsOf({ scope, slots, analyzer }: ProductShape, { values }: Product): object {
  const columns: Record<string, unknown> = {}
  for (const [ordinal, value] of values.entries()) {
    const column = slots[ordinal]?.column
    if (value === undefined || column === undefined) continue
    const { kind, slot } = column
    const elements = [...new Set(Array.isArray(value) ? value : [value])]
    if (kind === 'text') {
      const texts = elements as string[]
      columns[slotName('raw', slot)] = texts.map(shortValue)
      const folded = new Set(texts.map((text) => valueTerm(scope, analyzer.fold(text))))
      columns[slotName('folded', slot)] = [...folded]
    } else if (kind === 'place') {
      columns[slotName('place', slot)] = (elements as bigint[]).map(unpackPlace)
      if (elements.length > 0) columns[slotName('placed', slot)] = 1
    } else {
      columns[slotName(kind, slot)] = elements.map((element) => numberOf(element))
    }
  }
  return columns
}

/** A number as JSON: int64 to its last digit, false and true as 0 and 1, -0 as 0. */
function numberOf(element: unknown): unknown {
  if (typeof element === 'bigint') return rawJson(String(element))
  return typeof element === 'boolean' ? Number(element) : (element as number) + 0
}

/** ECMAScript 2025; TypeScript does not have it yet. */
const rawJson = (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON
