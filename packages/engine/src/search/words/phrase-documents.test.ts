import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createAnalyzer } from '../../analysis/create-analyzer.ts'
import { assertAgreement } from '../../naive/agreement.ts'
import { NaiveIndex } from '../../naive/naive-index.ts'
import { planForTest } from '../../naive/plan-for-test.ts'
import type { Schema } from '../../schema/schema.ts'
import { EmbeddedIndexForTest } from '../embedded-index-for-test.ts'

const analyzer = createAnalyzer('en')
const schema: Schema = {
  fields: [
    { name: 'title', type: 'string', searchable: true, facet: false, sort: false },
    { name: 'text', type: 'string', searchable: true, facet: false, sort: false },
  ],
}
const WORDS = 'side light side light lights sidelight lamp lampside'.split(' ')
const arbitraryText = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 })
  .map((words) => words.join(' '))

test('halves of a word are found as by the naive twin, also repeatedly and after deletions', () => {
  let split = 0
  const queries = ['sidelight', 'lampside', 'lamplight', 'sidelights side']
  const plans = queries.flatMap((text) => {
    const plan = planForTest(text, schema, analyzer, { size: 50, explain: true })
    return [plan, { ...plan, fieldWeights: [0, 1] }]
  })
  const documents = fc.array(fc.tuple(arbitraryText, arbitraryText), {
    minLength: 2,
    maxLength: 30,
  })
  fc.assert(
    fc.property(documents, fc.integer({ min: 2, max: 5 }), (texts, step) => {
      const naive = new NaiveIndex(schema, analyzer)
      const embedded = new EmbeddedIndexForTest(schema)
      texts.forEach((values, i) => {
        const document = { docKey: i + 1, id: String(i + 1), values }
        naive.add(document)
        embedded.add(document)
        if (i % 10 === 9) embedded.commit()
      })
      for (let first = step; first > 0; first--) {
        for (const plan of [...plans, ...plans]) {
          assertAgreement(naive, embedded, plan)
          for (const { splits } of embedded.search(plan).expansions) split += splits.length
        }
        for (let docKey = first; docKey <= texts.length; docKey += step) {
          naive.remove(docKey)
          embedded.remove(docKey)
        }
      }
    }),
    { numRuns: 40 },
  )
  assert.ok(split > 100, `only ${split} words were split`)
})
