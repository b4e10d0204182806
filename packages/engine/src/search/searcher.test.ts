import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { createAnalyzer } from '../analysis/create-analyzer.ts'
import { assertAgreement } from '../naive/agreement.ts'
import { arbitraryHistory, arbitrarySchema } from '../naive/generate.ts'
import { arbitraryGroupedPlan, arbitraryPlan } from '../naive/generate-plan.ts'
import { arbitraryVectorFields } from '../naive/generate-vectors.ts'
import { NaiveIndex } from '../naive/naive-index.ts'
import { planForTest } from '../naive/plan-for-test.ts'
import type { Schema } from '../schema/schema.ts'
import {
  BITS_FOR_ALL_LISTS,
  EmbeddedIndexForTest,
  SOME_LISTS_COPIED,
} from './embedded-index-for-test.ts'
import { RANK_ALL_MAX } from './view/index-view.ts'
import { USUAL_LIST_BITS } from './view/list-bits.ts'

const analyzer = createAnalyzer('en')

/** Histories of an index. Both engines run several plans on each, at the end and in between. */
const arbitraryCase = fc
  .tuple(arbitrarySchema(arbitraryVectorFields()), fc.constantFrom('en', 'en', 'en #+ ', 'en + /'))
  .chain(([schema, name]) => arbitraryCaseOf(schema, name))

const arbitraryCaseOf = (schema: Schema, name: string) => {
  const analyzer = createAnalyzer(name)
  return fc.record({
    name: fc.constant(name),
    history: arbitraryHistory(schema),
    plans: fc.array(
      fc.oneof(arbitraryPlan(schema, analyzer), arbitraryGroupedPlan(schema, analyzer)),
      { minLength: 1, maxLength: 4 },
    ),
    /** The trie is built after this many steps; newer terms stay outside. */
    trieAt: fc.nat({ max: 60 }),
    listBits: fc.constantFrom(USUAL_LIST_BITS, BITS_FOR_ALL_LISTS, SOME_LISTS_COPIED),
    rankAllMax: fc.constantFrom(0, 1, RANK_ALL_MAX),
  })
}

function runs(usual: number): number {
  return Number(process.env['FUZZ_RUNS'] ?? usual)
}

suite('the embedded engine', () => {
  // Goal: no optimisation changes the result. Method: run the same history and plans on the naive
  // twin.
  test('equals the naive twin: found, hits, scores, order, facets, expansions', () => {
    fc.assert(
      fc.property(arbitraryCase, ({ name, history, plans, trieAt, listBits, rankAllMax }) => {
        const { initialSchema } = history
        const naive = new NaiveIndex(initialSchema, createAnalyzer(name))
        const embedded = new EmbeddedIndexForTest(initialSchema, name, listBits, rankAllMax)
        history.steps.forEach((step, i) => {
          if (i === trieAt) embedded.buildTrie()
          switch (step.kind) {
            case 'add':
              naive.add(step.document)
              embedded.add(step.document)
              break
            case 'remove':
              naive.remove(step.docKey)
              embedded.remove(step.docKey)
              break
            case 'schema':
              naive.setSchema(step.schema)
              embedded.setSchema(step.schema)
              break
            case 'commit':
              embedded.commit()
              break
            case 'merge':
              embedded.merge()
              break
          }
        })
        for (const plan of plans) {
          assertAgreement(naive, embedded, plan)
          const filter = plan.filter ?? { kind: 'and', nodes: [] }
          assert.deepEqual(embedded.matchingKeys(filter), naive.matchingKeys(filter))
        }
      }),
      { numRuns: runs(150) },
    )
  })

  // Generated histories are too small for words ten or twenty times as frequent as others.
  test('corrects words known only by their stem like the naive twin', () => {
    const schema: Schema = {
      fields: [{ name: 'title', type: 'string', searchable: true, facet: false, sort: false }],
    }
    const naive = new NaiveIndex(schema, analyzer)
    const embedded = new EmbeddedIndexForTest(schema)
    const titles = [
      'vin',
      'vin',
      'drill',
      'drill',
      ...Array.from({ length: 40 }, () => 'vinyl grills'),
    ]
    titles.forEach((title, at) => {
      const document = { docKey: at + 1, id: String(at + 1), values: [title] }
      naive.add(document)
      embedded.add(document)
    })
    for (const text of ['vinly', 'drills', 'vinly drilling', 'vin']) {
      const plan = planForTest(text, schema, analyzer, { typoMax: 2, size: 50 })
      assertAgreement(naive, embedded, plan)
    }
    const { found } = embedded.search(planForTest('vinly', schema, analyzer, { typoMax: 1 }))
    assert.equal(found, 42)
  })

  test('finds neighbours of a known word like the naive twin', () => {
    const schema: Schema = {
      fields: ['title', 'text'].map((name) => ({
        name,
        type: 'string',
        searchable: true,
        facet: false,
        sort: false,
      })),
    }
    const naive = new NaiveIndex(schema, analyzer)
    const embedded = new EmbeddedIndexForTest(schema)
    const values = [
      ['addidas', undefined],
      ['addidas adidas shoe', undefined],
      ['jacket', 'addidas'],
      ['carry bag', undefined],
      ['carrying bag', 'addidastore'],
      ...Array.from({ length: 60 }, (_, i) => [
        i % 3 === 0 ? 'adidas shoe' : 'shoe adidas',
        i % 2 === 0 ? 'harry' : i === 7 ? 'addidas' : undefined,
      ]),
    ]
    values.forEach((values, at) => {
      const document = { docKey: at + 1, id: String(at + 1), values }
      naive.add(document)
      embedded.add(document)
      if (at % 20 === 0) embedded.commit()
    })
    for (const text of [
      'addidas',
      'addidas shoe',
      'shoe addidas',
      'carry',
      'carry bag',
      'addidas carry',
      'hous shoee',
    ]) {
      for (const options of [{}, { prefix: 'always' }, { infix: 'always' }] as const) {
        for (const requireAllTerms of [false, true, 'auto'] as const) {
          const changes = { typoMax: 2, size: 50, explain: true, requireAllTerms } as const
          const plan = planForTest(text, schema, analyzer, { ...changes, ...options })
          const { expansions } = embedded.search(plan)
          assert.ok(
            expansions.some(({ corrections }) => corrections.length > 0),
            text,
          )
          assertAgreement(naive, embedded, plan)
          assertAgreement(naive, embedded, { ...plan, fieldWeights: [5, 1] })
          assertAgreement(naive, embedded, { ...plan, size: 3, explain: false })
        }
      }
    }
  })

  test('a short prefix and the same infix count once, like in the naive twin', () => {
    const fields = [{ name: 'title', type: 'string', searchable: true, facet: false, sort: false }]
    const schema = { fields } as Schema
    const naive = new NaiveIndex(schema, analyzer)
    const embedded = new EmbeddedIndexForTest(schema)
    const document = { docKey: 1, id: '1', values: ['m8x12 red'] }
    naive.add(document)
    embedded.add(document)
    embedded.commit()
    const plan = planForTest('8x1', schema, analyzer, { prefix: 'always', infix: 'always' })
    assertAgreement(naive, embedded, plan)
  })
})
