import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createAnalyzer } from '../analysis/create-analyzer.ts'
import { assertSameOutcome } from '../naive/agreement.ts'
import { arbitraryHistory, arbitrarySchema } from '../naive/generate.ts'
import { arbitraryPlan } from '../naive/generate-plan.ts'
import { NaiveIndex } from '../naive/naive-index.ts'
import type { SearchPlan } from '../query/plan.ts'
import { EmbeddedIndexForTest } from './embedded-index-for-test.ts'
import { Searcher } from './searcher.ts'

const analyzer = createAnalyzer('en')

const arbitraryCase = arbitrarySchema().chain((schema) =>
  fc.record({
    history: arbitraryHistory(schema),
    plans: fc.array(arbitraryPlan(schema, analyzer), { minLength: 2, maxLength: 4 }),
  }),
)

test('searches without words have the facets of the naive twin, counted or cached', () => {
  let kept = 0
  fc.assert(
    fc.property(arbitraryCase, ({ history, plans: given }) => {
      const naive = new NaiveIndex(history.schema, analyzer)
      const embedded = new EmbeddedIndexForTest(history.schema)
      const searcher = new Searcher()
      const ids = new Map<string, number>()
      const browse = given.map((plan): SearchPlan => ({ ...plan, slots: [], exclusions: [] }))
      // With phrases they are never cached, and must not be mixed up with those without.
      const plans = browse.flatMap((plan) => [plan, { ...plan, phrases: [] }])
      for (const step of history.steps) {
        if (step.kind === 'schema') continue
        if (step.kind === 'add') {
          naive.add(step.document)
          embedded.add(step.document)
          ids.set(step.document.id, step.document.docKey)
        } else if (step.kind === 'remove') {
          naive.remove(step.docKey)
          embedded.remove(step.docKey)
          for (const [id, key] of ids) if (key === step.docKey) ids.delete(id)
        } else {
          embedded.commit()
          searcher.update(embedded.writer.snapshot())
          for (const plan of [...plans, ...plans]) {
            const outcome = searcher.search(plan, (id) => ids.get(id))
            assertSameOutcome(naive.search(plan), outcome, plan)
            if (plan.phrases.length > 0 || plan.facets.length === 0) continue
            const again = searcher.search(plan, (id) => ids.get(id))
            if (again.facets.some((facet, i) => facet === outcome.facets[i])) kept++
          }
        }
      }
    }),
    { numRuns: Number(process.env['FUZZ_RUNS'] ?? 60) },
  )
  assert.ok(kept > 0, 'none was kept')
})
