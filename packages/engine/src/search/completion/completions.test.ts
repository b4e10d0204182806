import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { createAnalyzer } from '../../analysis/create-analyzer.ts'
import { arbitraryHistory, arbitrarySchema } from '../../naive/generate.ts'
import { arbitraryPlan, arbitrarySlots } from '../../naive/generate-plan.ts'
import { NaiveIndex } from '../../naive/naive-index.ts'
import { planForTest } from '../../naive/plan-for-test.ts'
import type { Schema } from '../../schema/schema.ts'
import { EmbeddedIndexForTest } from '../embedded-index-for-test.ts'

const analyzer = createAnalyzer('en')

const arbitraryRequest = fc
  .record({
    words: arbitrarySlots(analyzer).map((slots) =>
      slots.slice(0, 2).map((slot) => [slot.stem, ...slot.joined.map((joined) => joined.stem)]),
    ),
    // Without one, only documents with all words are counted.
    prefix: fc.oneof(
      fc.constant(''),
      arbitrarySlots(analyzer).map((slots) => slots[0]?.form.slice(0, 2) ?? 's'),
      fc.constant(undefined),
    ),
    limit: fc.integer({ min: 1, max: 12 }),
    fields: fc.option(fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }), { nil: undefined }),
    countMax: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
  })
  .map(({ fields, prefix, countMax, ...request }) => ({
    ...request,
    ...(countMax === undefined ? {} : { countMax }),
    ...(fields === undefined ? {} : { fields }),
    ...(prefix === undefined ? {} : { prefix }),
  }))

suite('completions', () => {
  test('equal those of the naive twin, after removals, merges and with words newer than the trie', () => {
    const arbitraryCase = arbitrarySchema().chain((schema) =>
      fc.record({
        history: arbitraryHistory(schema),
        asked: fc.array(fc.tuple(arbitraryPlan(schema, analyzer), arbitraryRequest), {
          minLength: 1,
          maxLength: 6,
        }),
        trieAt: fc.nat({ max: 60 }),
      }),
    )
    fc.assert(
      fc.property(arbitraryCase, ({ history, asked, trieAt }) => {
        const naive = new NaiveIndex(history.initialSchema, analyzer)
        const embedded = new EmbeddedIndexForTest(history.initialSchema)
        history.steps.forEach((step, i) => {
          if (i === trieAt) embedded.buildTrie()
          if (step.kind === 'add') {
            naive.add(step.document)
            embedded.add(step.document)
          } else if (step.kind === 'remove') {
            naive.remove(step.docKey)
            embedded.remove(step.docKey)
          } else if (step.kind === 'schema') {
            naive.setSchema(step.schema)
            embedded.setSchema(step.schema)
          } else if (step.kind === 'merge') embedded.merge()
          else embedded.commit()
        })
        for (const [plan, request] of asked) {
          assert.deepEqual(embedded.complete(plan, request), naive.complete(plan, request))
        }
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 150) },
    )
  })

  const schema: Schema = {
    fields: [
      { name: 'title', type: 'string', searchable: true, facet: false, sort: false },
      { name: 'text', type: 'string', searchable: true, facet: false, sort: false },
    ],
  }
  const index = new EmbeddedIndexForTest(schema)
  const documents = [
    ['red jacket', 'jam'],
    ['red jackets', ''],
    ['blue jeans', 'red'],
    ['blue jar', ''],
    ['jar', 'just'],
  ]
  documents.forEach((values, i) => index.add({ docKey: i + 1, id: String(i + 1), values }))
  const complete = (prefix: string | undefined, stems: string[], changes = {}) => {
    const words = stems.map((stem) => stem.split('|'))
    const request = { words, limit: 2, ...(prefix === undefined ? {} : { prefix }) }
    const plan = planForTest('', schema, analyzer, changes)
    const { docCount, completions } = index.complete(plan, request)
    return [docCount, ...completions.map((one) => `${one.form} ${one.docCount}`)]
  }

  test('come by document count, each stem with its most frequent form', () => {
    assert.deepEqual(complete('ja', []), [5, 'jacket 2', 'jar 2'])
    assert.deepEqual(complete('jacket', []), [5])
    assert.deepEqual(complete('jea', []), [5, 'jeans 1'])
    assert.deepEqual(complete('zz', []), [5])
  })

  test('occur together with the other words, in searched fields', () => {
    assert.deepEqual(complete('j', ['red']), [3, 'jacket 2', 'jam 1'])
    assert.deepEqual(complete('j', ['red'], { fieldWeights: [1, 0] }), [2, 'jacket 2'])
    assert.deepEqual(complete('j', ['red', 'blue']), [1, 'jeans 1'])
    assert.deepEqual(complete('j', ['nope']), [0])
    assert.deepEqual(complete('j', ['nope|blue']), [2, 'jar 1', 'jeans 1'])
    assert.deepEqual(complete(undefined, ['blue']), [2])
  })

  test('looks up a rare word in the documents of frequent ones', () => {
    const many = new EmbeddedIndexForTest(schema)
    const naive = new NaiveIndex(schema, analyzer)
    for (let i = 0; i < 400; i++) {
      const values = [i % 150 === 7 ? 'rare jacket' : 'jacket', i % 4 === 3 ? 'wool' : 'wool red']
      for (const one of [many, naive]) one.add({ docKey: i, id: String(i), values })
      if (i % 180 === 0) many.commit()
    }
    const together = (words: string[][], changes = {}): number => {
      const request = { words, limit: 1 }
      const plan = planForTest('', schema, analyzer, changes)
      const found = many.complete(plan, request)
      assert.deepEqual(found, naive.complete(plan, request))
      return found.docCount
    }
    assert.equal(together([['jacket'], ['rare'], ['wool']]), 3)
    assert.equal(together([['red'], ['rare']]), 1)
    assert.equal(together([['nope', 'red'], ['rare']], { fieldWeights: [1, 0] }), 0)
    assert.equal(together([['red', 'jacket'], ['rare']], { fieldWeights: [1, 0] }), 3)
  })

  test('report a timeout', () => {
    const plan = planForTest('', schema, analyzer, { deadlineMs: 0 })
    const { cutoff } = index.complete(plan, { words: [['red']], prefix: 'j', limit: 2 })
    assert.equal(cutoff, true)
  })
})
