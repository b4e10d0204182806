import { test } from 'node:test'
import { createAnalyzer } from '../../analysis/create-analyzer.ts'
import { assertAgreement } from '../../naive/agreement.ts'
import { NaiveIndex } from '../../naive/naive-index.ts'
import { planForTest } from '../../naive/plan-for-test.ts'
import type { Schema } from '../../schema/schema.ts'
import { EmbeddedIndexForTest } from '../embedded-index-for-test.ts'

const schema: Schema = {
  fields: [{ name: 'title', type: 'string', searchable: true, facet: false, sort: false }],
}

// Regression: a word too short for infixes was cached without its neighbours, and then not searched
// for together with one.
test('a cached word is searched for inside words together with its neighbour', () => {
  const analyzer = createAnalyzer('en')
  const naive = new NaiveIndex(schema, analyzer)
  const index = new EmbeddedIndexForTest(schema)
  for (const [i, title] of ['xab cdy', 'xabcdy', 'ab', 'cd'].entries()) {
    const document = { docKey: i + 1, id: `${i + 1}`, values: [title] }
    naive.add(document)
    index.add(document)
  }
  index.commit()
  for (const text of ['ab', 'ab cd', 'cd', 'cd ab', 'ab']) {
    const plan = planForTest(text, schema, analyzer, { infix: 'always', explain: true })
    assertAgreement(naive, index, plan)
  }
})
