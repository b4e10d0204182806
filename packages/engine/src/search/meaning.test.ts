import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createAnalyzer } from '../analysis/create-analyzer.ts'
import { assertAgreement } from '../naive/agreement.ts'
import { arbitraryHistory, arbitrarySchema } from '../naive/generate.ts'
import { arbitraryPlan } from '../naive/generate-plan.ts'
import { arbitraryMeaning, arbitraryVectorFields } from '../naive/generate-vectors.ts'
import { NaiveIndex } from '../naive/naive-index.ts'
import type { SearchPlan } from '../query/plan.ts'
import { EmbeddedIndexForTest } from './embedded-index-for-test.ts'

const analyzer = createAnalyzer('en')
const BY_SCORE = { kind: 'textMatch', descending: true } as const

const arbitraryCase = arbitrarySchema(arbitraryVectorFields())
  .filter(({ fields }) => fields.some(({ vector }) => vector !== undefined))
  .chain((schema) =>
    fc.record({
      history: fc.constantFrom(40, 300).chain((copies) => arbitraryHistory(schema, copies)),
      plans: fc.array(
        fc
          .tuple(
            arbitraryPlan(schema, analyzer).filter(({ slots }) => slots.length > 0),
            arbitraryMeaning(schema).filter((meaning) => meaning !== undefined),
          )
          .map(([{ minRelevance: _, ...plan }, meaning]) => ({
            ...plan,
            // Other keys break ties between equal scores.
            sort: [BY_SCORE, ...plan.sort.slice(1)],
            ...(meaning === undefined ? {} : { meaning }),
          })),
        { minLength: 1, maxLength: 6 },
      ),
    }),
  )

// Goal: what words find and what only their meaning finds are counted, ordered and faceted as
// defined. Method: the same history and plans on the naive twin; the orders often differ from
// those by words alone.
test('an order by words and meaning equals that of the naive twin', () => {
  let [ordered, added] = [0, 0]
  fc.assert(
    fc.property(arbitraryCase, ({ history, plans }) => {
      const naive = new NaiveIndex(history.schema, analyzer)
      const embedded = new EmbeddedIndexForTest(history.schema)
      for (const step of history.steps) {
        if (step.kind === 'add') {
          naive.add(step.document)
          embedded.add(step.document)
        } else if (step.kind === 'remove') {
          naive.remove(step.docKey)
          embedded.remove(step.docKey)
        } else if (step.kind === 'merge') embedded.merge()
        else embedded.commit()
      }
      embedded.commit()
      for (const plan of plans) {
        assertAgreement(naive, embedded, plan)
        const withMeaning = embedded.search(plan)
        const keysOf = ({ hits }: typeof withMeaning) => hits.map(({ docKey }) => docKey).join()
        if (keysOf(withMeaning) !== keysOf(embedded.search(withoutMeaning(plan)))) ordered++
        if ((withMeaning.foundByMeaning ?? 0) > 0) added++
      }
    }),
    { numRuns: Number(process.env['FUZZ_RUNS'] ?? 60) },
  )
  assert.ok(ordered > 10 && added > 10, `${ordered} other orders, ${added} with more documents`)
})

function withoutMeaning({ meaning: _, ...plan }: SearchPlan): SearchPlan {
  return plan
}
