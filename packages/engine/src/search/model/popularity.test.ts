import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { createAnalyzer } from '../../analysis/create-analyzer.ts'
import { arbitrarySchema, arbitraryValues } from '../../naive/generate.ts'
import { arbitraryPlan } from '../../naive/generate-plan.ts'
import { planForTest } from '../../naive/plan-for-test.ts'
import type { PlannedPopularity } from '../../query/popularity.ts'
import type { SearchPlan, SortKey } from '../../query/plan.ts'
import type { Schema } from '../../schema/schema.ts'
import { TIER_STEP } from '../../scoring/formula.ts'
import { EmbeddedIndexForTest } from '../embedded-index-for-test.ts'

const analyzer = createAnalyzer('en')
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 80)
const USUAL: SortKey[] = [
  { kind: 'textMatch', descending: true },
  { kind: 'popularity', descending: true },
]

const schema: Schema = {
  fields: [{ name: 'title', type: 'string', searchable: true, facet: false, sort: false }],
}

function shop(...titles: string[]): EmbeddedIndexForTest {
  const index = new EmbeddedIndexForTest(schema)
  titles.forEach((title, i) => {
    index.add({ docKey: i + 1, id: `id-${i}`, values: [title] })
    if (i % 3 === 2) index.commit()
  })
  index.commit()
  return index
}

function popular(
  levels: Readonly<Record<number, number>>,
  appeal: Readonly<Record<number, number>> = {},
  weight = 0.5,
): PlannedPopularity {
  const entries = Object.entries(levels).map(([key, level]) => [Number(key), level] as const)
  const documents = {
    docKeys: Float64Array.from(entries, ([key]) => key),
    levels: Uint16Array.from(entries, ([, level]) => level),
    levelMax: 100,
  }
  const appeals = Object.entries(appeal).map(([key, one]) => [Number(key), one] as const)
  return { documents, appeal: new Map(appeals), weight }
}

const order = (index: EmbeddedIndexForTest, plan: SearchPlan): number[] =>
  index.search(plan).hits.map(({ docKey }) => docKey)

suite('popularity', () => {
  test('raises what visitors choose for this query, and less what they choose overall', () => {
    const index = shop('red tent', 'red tent', 'red tent', 'red tent')
    const plan = { ...planForTest('tent', schema, analyzer), sort: USUAL }
    assert.deepEqual(order(index, plan), [4, 3, 2, 1], 'newest first')
    const popularity = popular({ 1: 100, 2: 10, 3: 10 }, { 2: 0.9 })
    assert.deepEqual(order(index, { ...plan, popularity }), [2, 1, 3, 4])
    const [best] = index.search({ ...plan, popularity, explain: true }).hits
    assert.deepEqual(best!.explanation!.popularity, { factor: 1.35, level: 10, appeal: 0.9 })
  })

  test('no document overtakes a better match beyond the weight, or one of a higher tier', () => {
    const index = shop('tent', 'tent for a garden of many words and yet more words', 'red stove')
    const plan = { ...planForTest('tent', schema, analyzer), sort: USUAL }
    const popularity = popular({ 2: 100 }, { 2: 1 }, 0.05)
    assert.deepEqual(order(index, { ...plan, popularity }), [1, 2])
    const two = { ...planForTest('garden tent', schema, analyzer), sort: USUAL }
    assert.deepEqual(order(index, { ...two, popularity: popular({ 1: 100 }, { 1: 1 }, 1) }), [2, 1])
  })

  test('as a sort key it does not change scores; without words, popular documents come first, then the newest', () => {
    const index = shop('tent', 'tent', 'stove', 'tent', 'tent')
    const plan = { ...planForTest('', schema, analyzer), sort: USUAL }
    const popularity = popular({ 2: 5, 3: 70, 9: 4 })
    assert.deepEqual(order(index, { ...plan, popularity }), [3, 2, 5, 4, 1])
    assert.deepEqual(order(index, { ...plan, popularity, size: 2 }), [3, 2])
    const sort: SortKey[] = [{ kind: 'popularity', descending: false }]
    assert.deepEqual(order(index, { ...plan, popularity, sort }), [5, 4, 1, 2, 3])
    const byWords = { ...planForTest('tent', schema, analyzer), sort: USUAL }
    const scores = (asked: SearchPlan) =>
      index.search(asked).hits.map(({ textMatchScore }) => textMatchScore)
    const alone = { ...byWords, popularity: { ...popularity, weight: 0 } }
    assert.deepEqual(scores(alone), scores(byWords))
    assert.deepEqual(order(index, alone), [2, 5, 4, 1])
  })

  // Goal: a signal that anybody can send has limited effect. Method: any plan with and without it.
  test('finds and counts the same as without it, and multiplies points by 1 .. 1 + weight', () => {
    const arbitraryCase = arbitrarySchema().chain((generated) =>
      fc.record({
        schema: fc.constant(generated),
        documents: fc.array(arbitraryValues(generated), { minLength: 1, maxLength: 30 }),
        plan: arbitraryPlan(generated, analyzer),
      }),
    )
    fc.assert(
      fc.property(arbitraryCase, ({ schema: fields, documents, plan }) => {
        const index = new EmbeddedIndexForTest(fields)
        documents.forEach((values, i) => index.add({ docKey: i + 1, id: `id-${i}`, values }))
        index.commit()
        const { popularity, ...rest } = { ...plan, from: 0, size: 1_000, titleField: -1 }
        if (popularity === undefined) return
        const without = index.search({ ...rest, boosts: [] })
        const found = index.search({ ...rest, boosts: [], popularity })
        assert.equal(found.found, without.found)
        assert.deepEqual(found.facets, without.facets)
        const before = new Map(without.hits.map((hit) => [hit.docKey, hit.textMatchScore]))
        for (const { docKey, textMatchScore } of found.hits) {
          const old = before.get(docKey)!
          const tier = Math.floor(old / TIER_STEP) * TIER_STEP
          assert.ok(textMatchScore >= old)
          assert.ok(textMatchScore - tier <= (old - tier) * (1 + popularity.weight) + 1)
        }
      }),
      { numRuns: RUNS },
    )
  })
})
