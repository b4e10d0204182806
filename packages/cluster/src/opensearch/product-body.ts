import { fieldEvidence, impactOf, lengthStep } from '@aisle/engine/rescoring'
import { fieldSalience } from '@aisle/server/domain'
import { analyzeDocument, elementsAt, elementType, hasColumn, unpackPlace } from '@aisle/engine'
import type { Analyzer, DocumentValue, Schema, Token } from '@aisle/engine'
import { slotName, type SlotMap } from './field-slots.ts'
import { KnownWords, type Stem } from './known-words.ts'
import { WordPacker } from './packed-words.ts'
import { packOwnVectors, unpackOwnVectors, type OwnVector } from './own-vectors.ts'
import { JOINED_LAYERS, NOTHING } from './product-index.ts'
import { vectorsOf } from './product-vectors.ts'
import {
  exactTerm,
  fieldTerm,
  formerFeature,
  inflectedTerm,
  joinedStemTerm,
  presenceTerm,
  shortValue,
  valueTerm,
  vectorlessTerm,
  vectorTerm,
  wordTerm,
} from './product-terms.ts'

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

/** What all bodies of a scope have in common. */
export interface ProductShape {
  readonly scope: string
  readonly schema: Schema
  readonly slots: SlotMap
  readonly analyzer: Analyzer
  /** Whether the place has documents of older versions, or may get some. */
  readonly isOutdated?: boolean
}

/** Longer values are not searched as a whole. */
const EXACT_TOKENS_MAX = 40

/**
 * Builds the body of a document for the cluster: one line of JSON. All terms come from our
 * analyzer; the cluster adds none. docs/cluster-index.md describes each part.
 *
 * @param operation distinguishes a repeated write from a new one
 */
export function productBody(shape: ProductShape, product: Product, operation: string): string {
  const { scope } = shape
  const { id, docKey, inserted, json, writtenMs, own = [] } = product
  return JSON.stringify({
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
    ...wordsOf(shape, product, packer),
    ...elementsOf(shape, product),
  })
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

/** The parts of a body that elements have too, because filters use them. */
const OF_ELEMENT = /^(?:folded|long|double|place|row)\d|^joined$/

/** The elements of `object[]` fields, each with its own values. */
function elementsOf(shape: ProductShape, { values, ...own }: Product): object {
  const { scope, schema } = shape
  const elements = schema.fields.flatMap(({ type }, objects) => {
    if (type !== 'object[]') return []
    return elementsAt(values, objects).map((element) => {
      const ofElement = schema.fields.map((_, field) => element.get(field))
      const product = { ...own, values: ofElement, json: '', writtenMs: 0 }
      const parts = { ...columnsOf(shape, product), ...wordsOf(shape, product) }
      const kept = Object.entries(parts).filter(([name]) => OF_ELEMENT.test(name))
      const of = presenceTerm(scope, objects)
      return { of, present: presentFields(scope, product), ...Object.fromEntries(kept) }
    })
  })
  return elements.length === 0 ? {} : { elements }
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

/**
 * The words of a document: of searchable fields, everything that ranking needs; of other strings,
 * what filters need. This is most of the work of a write, so each token is looked up once.
 */
function wordsOf(
  { scope, schema, slots, analyzer, isOutdated = false }: ProductShape,
  product: Product,
  packer?: WordPacker,
): object {
  const anywhere = wordTerm(scope, '')
  const words: string[] = []
  const groups: string[] = []
  const joined = new Set<string>()
  const evidence: Stem[] = []
  const { weights, lengthNorms } = fieldSalience(schema)
  const exact = new Set<string>()
  const lengths: Record<string, number> = {}
  const elements: Layers[] = []
  const read = filterableAsWell(schema)
  const known = KnownWords.of(analyzer)
  const document = known.begin()
  packer?.begin(document)
  const fields = analyzeDocument(read, analyzer, product)
  for (const { field, length, elements: texts } of fields) {
    const { searchable } = schema.fields[field]!
    const slot = slots[field]?.length
    if (slot !== undefined && length > 0) lengths[slotName('length', slot)] = length
    const asStem = fieldTerm(scope, field, '')
    const asForm = inflectedTerm(scope, field, '')
    const stems: Stem[] = []
    for (const { tokens, start } of texts) {
      if (tokens.length === 0) continue
      const layers = new Layers()
      const plain: string[] = []
      for (const { form, position, kind } of tokens) {
        const word = known.word(form)
        const { stem } = word
        const term = (word.isStem ? asStem : asForm) + word.short
        const stemTerm = word.isStem || !searchable ? undefined : asStem + stem.short
        layers.add(position, kind, term, stemTerm)
        if (kind === 'joined') {
          joined.add(term)
          if (stemTerm !== undefined) joined.add(joinedStemTerm(scope, field, stem.short))
        }
        if (!searchable) continue
        packer?.add(word, field, start + position, kind === 'joined')
        if (kind !== 'joined') plain.push(form)
        if (word.document !== document) {
          word.document = document
          words.push(anywhere + word.short)
        }
        if (stem.termFreq++ === 0) stems.push(stem)
      }
      if (plain.length > 0 && plain.length <= EXACT_TOKENS_MAX) {
        exact.add(exactTerm(scope, field, plain))
      }
      elements.push(layers)
    }
    if (stems.length === 0) continue
    const step = lengthStep(length)
    for (const stem of stems) {
      const { short, termFreq } = stem
      stem.termFreq = 0
      if (stem.document !== document) {
        groups.push(anywhere + short)
        evidence.push(stem)
        stem.evidence = 0
      }
      stem.document = document
      const impact = impactOf(termFreq, step)
      stem.evidence += fieldEvidence(impact, weights[field]!, lengthNorms[field]!, USUAL_LENGTH)
    }
  }
  const searched = fields.filter(({ field }) => schema.fields[field]!.searchable)
  const tokens = packer?.pack(product.id, searched)
  return {
    words,
    groups: groups.join(' '),
    ...(joined.size === 0 ? {} : { joined: [...joined].join(' ') }),
    evidence: isOutdated ? formerFeaturesOf(scope, evidence) : featuresOf(evidence),
    exact: [...exact].join(' '),
    ...lengths,
    ...(tokens === undefined ? {} : { tokens }),
    ...rowsOf(elements),
  }
}

/**
 * Tokens of a field on average, for all fields and stores: equal documents must have equal
 * evidence, whatever was written before them. It only chooses candidates.
 */
const USUAL_LENGTH = 12

/** The evidence of the stems by their features: the greatest where several share one. */
function featuresOf(stems: readonly Stem[]): Record<string, number> {
  const features: Record<string, number> = {}
  for (const { feature, evidence } of stems) {
    features[feature] = Math.max(features[feature] ?? 0, roundedEvidence(evidence))
  }
  return features
}

/** The same as older nodes write and search it. */
function formerFeaturesOf(scope: string, stems: readonly Stem[]): Record<string, number> {
  return Object.fromEntries(
    stems.map(({ text, evidence }) => [formerFeature(scope, text), roundedEvidence(evidence)]),
  )
}

/** Enough digits to choose candidates. */
function roundedEvidence(evidence: number): number {
  const digits = evidence < 1 ? 1_000 : 100
  return Math.max(1, Math.round(evidence * digits)) / digits
}

/** Strings that can be filtered by their words: searchable fields, and strings with a column. */
function filterableAsWell(schema: Schema): Schema {
  const known = readSchemas.get(schema)
  if (known !== undefined) return known
  const fields = schema.fields.map((field) =>
    hasColumn(field) && elementType(field.type) === 'string'
      ? { ...field, searchable: true }
      : field,
  )
  const read = { fields }
  readSchemas.set(schema, read)
  return read
}

const packer = new WordPacker()
const readSchemas = new WeakMap<Schema, Schema>()

/** The words of a value: plain ones in the first layer, joined ones in the layers above. */
class Layers {
  readonly forms: (string | undefined)[][] = [[]]
  /** Stems that differ from their forms. */
  readonly stems: (string | undefined)[][] = []
  /** Length of the longest layer. */
  #length = 0

  add(position: number, kind: Token['kind'], form: string, stem: string | undefined): void {
    let layer = kind === 'joined' ? 1 : 0
    while (this.forms[layer]?.[position] !== undefined) layer++
    if (layer > JOINED_LAYERS) return
    ;(this.forms[layer] ??= [])[position] = form
    if (stem !== undefined) (this.stems[layer] ??= [])[position] = stem
    if (position >= this.#length) this.#length = position + 1
  }

  row(words: readonly (string | undefined)[] = []): string {
    let row = words[0] ?? NOTHING
    for (let at = 1; at < this.#length; at++) row += ` ${words[at] ?? NOTHING}`
    return row
  }
}

/** Without empty places at the end: nothing follows that needs its place. */
function ended(row: string[]): string[] {
  const last = row.at(-1)!
  let end = last.length
  while (last.endsWith(` ${NOTHING}`, end)) end -= NOTHING.length + 1
  return end === last.length ? row : [...row.slice(0, -1), last.slice(0, end)]
}

/**
 * Forms and stems in a row. Each array element is a separate value, in the same order and with the
 * same length in every row, so that positions agree. Elements with many layers come first, those
 * without separate stems last: a row ends with the last element that needs it.
 */
function rowsOf(elements: readonly Layers[]): Record<string, string[]> {
  const inOrder = elements.toSorted(
    (a, b) => b.forms.length - a.forms.length || b.stems.length - a.stems.length,
  )
  const rows: Record<string, string[]> = {}
  for (let layer = 0; layer <= JOINED_LAYERS; layer++) {
    const forms = inOrder.filter((element) => element.forms.length > layer)
    if (forms.length === 0) break
    rows[`row${layer}`] = ended(forms.map((element) => element.row(element.forms[layer])))
    const last = inOrder.findLastIndex(({ stems }) => stems[layer] !== undefined)
    if (last === -1) continue
    const withStems = inOrder.slice(0, last + 1)
    rows[`stemRow${layer}`] = ended(withStems.map((element) => element.row(element.stems[layer])))
  }
  return rows
}
