import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { fieldEvidence, impactOf, lengthStep } from '@aisle/engine/rescoring'
import { fieldSalience, toIndexDocument } from '@aisle/server/domain'
import { analyzeDocument, createAnalyzer } from '@aisle/engine'
import type { Field, IndexDocument, Token } from '@aisle/engine'
import fc from 'fast-check'
import { allocateSlots, slotName } from './field-slots.ts'
import { JOINED_LAYERS } from './product-index.ts'
import { evidenceFeature, exactTerm, fieldTerm, formerFeature } from './product-terms.ts'
import { inflectedTerm, joinedStemTerm, wordTerm } from './product-terms.ts'
import type { ProductShape } from './product-shape.ts'
import { wordMembers } from './product-words.ts'

const field = (name: string, type: Field['type'], roles: string): Field => ({
  name,
  type,
  searchable: roles.includes('w'),
  facet: roles.includes('f'),
  sort: false,
})
const schema = {
  fields: [
    field('title', 'string', 'w'),
    field('tags', 'string[]', 'wf'),
    field('brand', 'string', 'f'),
    field('note', 'string', ''),
  ],
}
/** What the analysis reads: facets as well, because filters find their words. */
const filtered = { fields: schema.fields.map((f) => ({ ...f, searchable: f.name !== 'note' })) }

/** The same members in the same order, from the terms of each token alone. */
function plainWords(shape: ProductShape, document: IndexDocument): Record<string, unknown> {
  const { scope, analyzer, isOutdated = false } = shape
  const { weights, lengthNorms } = fieldSalience(schema)
  const words = new Set<string>()
  const joined = new Set<string>()
  const exact = new Set<string>()
  const lengths: Record<string, number> = {}
  const evidence = new Map<string, number>()
  const values: Layers[] = []
  for (const { field: ordinal, length, elements } of analyzeDocument(
    filtered,
    analyzer,
    document,
  )) {
    const isSearchable = schema.fields[ordinal]!.searchable
    const slot = shape.slots[ordinal]?.length
    if (slot !== undefined && length > 0) lengths[slotName('length', slot)] = length
    const frequencies = new Map<string, number>()
    for (const { tokens } of elements) {
      const layers: Layers = { forms: [[]], stems: [] }
      for (const token of tokens) {
        const stem = analyzer.stem(token.form)
        const isStem = stem === token.form
        const form = (isStem ? fieldTerm : inflectedTerm)(scope, ordinal, token.form)
        const hasStem = isSearchable && !isStem
        put(layers, token, form, hasStem ? fieldTerm(scope, ordinal, stem) : undefined)
        if (token.kind === 'joined') {
          joined.add(form)
          if (hasStem) joined.add(joinedStemTerm(scope, ordinal, stem))
        }
        if (!isSearchable) continue
        words.add(wordTerm(scope, token.form))
        frequencies.set(stem, (frequencies.get(stem) ?? 0) + 1)
      }
      const plain = tokens.filter(({ kind }) => kind !== 'joined').map(({ form }) => form)
      const isExact = isSearchable && plain.length > 0 && plain.length <= 40
      if (isExact) exact.add(exactTerm(scope, ordinal, plain))
      if (tokens.length > 0) values.push(layers)
    }
    for (const [stem, frequency] of frequencies) {
      const impact = impactOf(frequency, lengthStep(length))
      const more = fieldEvidence(impact, weights[ordinal]!, lengthNorms[ordinal]!, 12)
      evidence.set(stem, (evidence.get(stem) ?? 0) + more)
    }
  }
  const features: Record<string, number> = {}
  for (const [stem, value] of evidence) {
    const name = isOutdated ? formerFeature(scope, stem) : evidenceFeature(stem)
    const steps = value < 1 ? 1_000 : 100
    features[name] = Math.max(features[name] ?? 0, Math.max(1, Math.round(value * steps)) / steps)
  }
  const groups = [...evidence.keys()].map((stem) => wordTerm(scope, stem)).join(' ')
  return {
    words: [...words],
    groups,
    ...(joined.size === 0 ? {} : { joined: [...joined].join(' ') }),
    evidence: features,
    exact: [...exact].join(' '),
    ...lengths,
    ...rowsOf(values),
  }
}

interface Layers {
  readonly forms: (string | undefined)[][]
  readonly stems: (string | undefined)[][]
}

function put(layers: Layers, { position, kind }: Token, form: string, stem?: string): void {
  const { forms, stems } = layers
  let layer = kind === 'joined' ? 1 : 0
  while (forms[layer]?.[position] !== undefined) layer++
  if (layer > JOINED_LAYERS) return
  ;(forms[layer] ??= [])[position] = form
  if (stem !== undefined) (stems[layer] ??= [])[position] = stem
}

function rowsOf(values: readonly Layers[]): Record<string, string[]> {
  const inOrder = values.toSorted(
    (a, b) => b.forms.length - a.forms.length || b.stems.length - a.stems.length,
  )
  const rows: Record<string, string[]> = {}
  const add = (name: string, layer: number, of: 'forms' | 'stems'): void => {
    const last = inOrder.findLastIndex((layers) => layers[of][layer] !== undefined)
    if (last === -1) return
    rows[name] = inOrder.slice(0, last + 1).map((layers, at) => {
      const length = Math.max(...layers.forms.map(({ length: ofLayer }) => ofLayer))
      const places = Array.from({ length }, (_, place) => layers[of][layer]?.[place] ?? '-')
      const text = places.join(' ')
      return at === last ? text.replace(/(?: -)+$/u, '') : text
    })
  }
  for (let layer = 0; layer <= JOINED_LAYERS; layer++) {
    add(`row${layer}`, layer, 'forms')
    add(`stemRow${layer}`, layer, 'stems')
  }
  return rows
}

const text = fc
  .array(
    fc.oneof(
      fc.constantFrom('shirt', 'shirts', 'T-shirt', '5"', 'a.b', 'C++', '12V', '3/4in', "men's"),
      fc.constantFrom('Crème', '１２', '靴下', 'ёлка', '𝒳y', 'O’Neill', 'x'.repeat(130), '-', '\\'),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
    ),
    { maxLength: 50 },
  )
  .map((words) => words.join(' '))

suite('The words of a product', () => {
  // Goal: the text built by joining equals what plain code says about each token. Method: documents
  // one after the other, because words and stems remember the document that they were in.
  for (const language of ['en', 'de', 'ja']) {
    test(`equal those of plain code, in "${language}"`, () => {
      const analyzer = createAnalyzer(language)
      const slots = allocateSlots(schema, [])
      const document = fc.record({
        title: text,
        tags: fc.array(text, { maxLength: 4 }),
        brand: text,
        note: text,
      })
      const documents = fc.array(document, { minLength: 1, maxLength: 4 })
      fc.assert(
        fc.property(documents, fc.boolean(), (given, isOutdated) => {
          const shape = { scope: '1a', schema, slots, analyzer, isOutdated }
          for (const [number, one] of given.entries()) {
            const json = Buffer.from(JSON.stringify(one))
            const read = toIndexDocument({ docKey: number + 1, id: 'a', json }, schema)
            const { tokens: _, ...words } = JSON.parse(`{${wordMembers(shape, read).join()}}`)
            assert.equal(JSON.stringify(words), JSON.stringify(plainWords(shape, read)))
          }
        }),
      )
    })
  }
})
