import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { createAnalyzer } from '@aisle/engine'
import type { Analyzer, Schema } from '@aisle/engine'
import {
  analyzeCandidate,
  demandOf,
  findSlots,
  rankDocuments,
  relevantDocuments,
  soughtWords,
} from '@aisle/engine/rescoring'
import type { CandidateDocument } from '@aisle/engine/rescoring'
import { arbitraryHistory, arbitrarySchema } from '@aisle/engine/naive/generate'
import type { History } from '@aisle/engine/naive/generate'
import { arbitraryLanguageLife } from '@aisle/engine/naive/generate-languages'
import { arbitraryPlan } from '@aisle/engine/naive/generate-plan'
import { NaiveStatistics } from '@aisle/engine/naive/naive-statistics'
import { allocateSlots } from './field-slots.ts'
import { PackedDocument, packedText } from './packed-document.ts'
import { PACKED_VERSION, packedWordsOf } from './packed-words.ts'
import { productBody } from './product-body.ts'
import { WordFinder } from './word-finder.ts'

const english = createAnalyzer('en')

interface WrittenDocument {
  readonly whole: CandidateDocument
  /** As the cluster keeps them. */
  readonly words: string
  /** The same, made where they were not kept. */
  readonly again: string
}

/** The documents of a life, each with the schema of its write. */
function written(history: History, analyzer: Analyzer): WrittenDocument[] {
  const { schema: last, initialSchema } = history
  const slots = allocateSlots(last, [])
  let schema = initialSchema
  return history.steps.flatMap((step): WrittenDocument[] => {
    if (step.kind === 'schema') schema = step.schema
    if (step.kind !== 'add') return []
    const { document } = step
    const shape = { scope: 's', schema, slots, analyzer }
    const product = { ...document, inserted: document.docKey, writtenMs: 1, json: '{}' }
    const { tokens } = JSON.parse(productBody(shape, product, 'test')) as { tokens: string }
    const whole = analyzeCandidate(document, schema, analyzer)
    return [{ whole, words: packedText(tokens)!, again: packedWordsOf(document, schema, analyzer) }]
  })
}

function byPlace({ tokens }: CandidateDocument): string[][] {
  const filled = tokens.slice(0, tokens.findLastIndex((field) => field.length > 0) + 1)
  return filled.map((field) => field.map((token) => JSON.stringify(Object.values(token))).sort())
}

function opened(written: WrittenDocument, finder?: WordFinder): PackedDocument {
  const { docKey, inserted = docKey, fields, values } = written.whole
  return new PackedDocument(docKey, written.words, { inserted, fields, values, finder })
}

const arbitraryLife = fc.oneof(
  arbitrarySchema().chain((schema) =>
    fc.record({
      language: fc.constant('en'),
      history: arbitraryHistory(schema, 8),
      plans: fc.array(arbitraryPlan(schema, english), { minLength: 1, maxLength: 6 }),
    }),
  ),
  arbitraryLanguageLife(),
)

suite('Packed words of documents', () => {
  test('are all of them, at their places', () => {
    fc.assert(
      fc.property(arbitraryLife, ({ language, history }) => {
        for (const document of written(history, createAnalyzer(language))) {
          const { whole, words, again } = document
          assert.equal(again, words)
          const all = opened(document)
          assert.equal(all.id, whole.id)
          const wholeTokens = byPlace(whole)
          assert.deepEqual(byPlace(all).slice(0, wholeTokens.length), wholeTokens)
          whole.tokens.forEach((tokens, field) => {
            assert.equal(all.lengths[field] ?? 0, tokens.filter(({ joined }) => !joined).length)
            for (const { position } of tokens) {
              for (const at of [position, position + 1]) {
                const isTaken = tokens.some((token) => token.position === at)
                assert.equal(all.isTaken(field, at), isTaken, `${field} ${at}`)
              }
            }
          })
        }
      }),
      { numRuns: 60 },
    )
  })

  test('those that a plan looks at give the same scores and the same order', () => {
    fc.assert(
      fc.property(arbitraryLife, ({ language, history, plans }) => {
        const analyzer = createAnalyzer(language)
        const { schema } = history
        const documents = written(history, analyzer)
        const wholes = documents.map(({ whole }) => whole)
        const catalog = new NaiveStatistics(wholes, schema)
        for (const plan of plans) {
          const slots = findSlots(plan, { catalog, analyzer })
          const demand = demandOf(plan, slots, catalog, () => 0)
          const order = (candidates: readonly CandidateDocument[]) =>
            rankDocuments(
              plan,
              slots,
              relevantDocuments(plan, slots, candidates, catalog, demand),
              { analyzer, schema },
            ).map(({ document, textMatchScore }) => [document.docKey, textMatchScore])
          const finder = new WordFinder(soughtWords(plan, slots))
          const parts = documents.map((document) => opened(document, finder))
          assert.deepEqual(order(parts), order(wholes))
        }
      }),
      { numRuns: 150 },
    )
  })

  test('are left out of what is read where nobody looks at them', () => {
    const field = { searchable: true, facet: false, sort: false } as const
    const schema: Schema = { fields: [{ ...field, name: 'title', type: 'string' }] }
    const document = { docKey: 1, id: 'Löwe', values: ['Zwei rote Schuhe, ein roter Löwe €'] }
    const analyzer = createAnalyzer('de')
    const finder = new WordFinder({ stems: new Set(['rot']), forms: new Set(['€', 'lowe']) })
    const { tokens, lengths, id } = new PackedDocument(
      1,
      packedWordsOf(document, schema, analyzer),
      { inserted: 1, fields: schema.fields, values: [], finder },
    )
    assert.deepEqual(
      tokens[0]!.map(({ form, stem, position }) => [form, stem, position]),
      analyzer
        .analyze(document.values[0]!)
        .filter(({ form }) => ['rote', 'roter', 'lowe', '€'].includes(form))
        .map(({ form, position }) => [form, analyzer.stem(form), position]),
    )
    assert.deepEqual([lengths, id], [[6], 'Löwe'])
  })

  test('of very long documents are not kept by the cluster', () => {
    const field = { searchable: true, facet: false, sort: false } as const
    const schema: Schema = { fields: [{ ...field, name: 'title', type: 'string' }] }
    const title = Array.from({ length: 6_000 }, (_, i) => `word${i}`).join(' ')
    const slots = allocateSlots(schema, [])
    const shape = { scope: 's', schema, slots, analyzer: english }
    const document = { docKey: 1, inserted: 1, id: 'a', values: [title] }
    const body = productBody(shape, { ...document, writtenMs: 1, json: '{}' }, 'test')
    assert.equal((JSON.parse(body) as { tokens?: string }).tokens, undefined)
    const text = packedWordsOf(document, schema, english)
    const { fields } = schema
    const how = { inserted: 1, fields, values: [], finder: undefined }
    const all = new PackedDocument(1, text, how)
    assert.equal(all.tokens[0]!.length, 6_000)
  })

  test('of a version that is not known here are none', () => {
    assert.equal(packedText(Buffer.from([PACKED_VERSION + 1, 0, 0]).toString('base64')), undefined)
  })
})
