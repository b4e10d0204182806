import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { createAnalyzer, queryVector } from '@aisle/engine'
import type { IndexDocument, Schema, SearchPlan, SortKey } from '@aisle/engine'
import { NaiveIndex } from '@aisle/engine/naive'
import { assertSameOutcome } from '@aisle/engine/naive/agreement'
import { arbitraryHistory, arbitrarySchema } from '@aisle/engine/naive/generate'
import type { History } from '@aisle/engine/naive/generate'
import { arbitraryFilter } from '@aisle/engine/naive/generate-filter'
import { arbitraryGroupedPlan, arbitraryPlan } from '@aisle/engine/naive/generate-plan'
import { arbitraryMeaning, arbitraryVectorFields } from '@aisle/engine/naive/generate-vectors'
import { EMPTY_PLAN, generatedRuns, NEEDS_SCRIPTS, plainSlot } from '@aisle/testing'
import { SearchedStoreForTest } from './searched-store-for-test.ts'

const analyzer = createAnalyzer('en')
const BY_SCORE: SortKey = { kind: 'textMatch', descending: true }

const withVectors = arbitrarySchema(arbitraryVectorFields()).filter(
  (schema) => vectorOrdinal(schema) >= 0,
)

/** Orders and filters by similarity are among the generated ones. */
const arbitraryCase = withVectors.chain((schema) =>
  fc.record({
    history: arbitraryHistory(schema, 6),
    plans: fc.array(
      fc.oneof(arbitraryPlan(schema, analyzer), arbitraryGroupedPlan(schema, analyzer)),
      { minLength: 1, maxLength: 8 },
    ),
    filter: arbitraryFilter(schema, analyzer),
  }),
)

const arbitraryMeanings = withVectors.chain((schema) =>
  fc.record({
    history: arbitraryHistory(schema, 6),
    plans: fc.array(
      fc
        .tuple(
          fc.oneof(arbitraryPlan(schema, analyzer), arbitraryGroupedPlan(schema, analyzer)),
          arbitraryMeaning(schema),
        )
        .map(([plan, meaning]): SearchPlan => ({
          ...plan,
          sort: [BY_SCORE, ...plan.sort.slice(1)],
          ...(meaning === undefined ? {} : { meaning }),
        })),
      { minLength: 1, maxLength: 8 },
    ),
  }),
)

const runs = generatedRuns(25)

suite('Comparing vectors on a cluster', { ...NEEDS_SCRIPTS, timeout: 600_000 }, () => {
  test('orders and filters by similarity as the naive twin does', async () => {
    await using cluster = await SearchedStoreForTest.openIndex(2)
    await fc.assert(
      fc.asyncProperty(arbitraryCase, async ({ history, plans, filter }) => {
        const naive = live(history)
        const store = await cluster.store(history, analyzer)
        for (const plan of plans) {
          assertSameOutcome(naive.search(plan), await store.search(plan), plan)
        }
        assert.deepEqual(await store.matchingKeys(filter), naive.matchingKeys(filter))
      }),
      { numRuns: runs, endOnFailure: process.env['FUZZ_SHRINK'] === undefined },
    )
  })

  test('ranks by words and meaning as the naive twin does', async () => {
    await using cluster = await SearchedStoreForTest.openIndex()
    let added = 0
    await fc.assert(
      fc.asyncProperty(arbitraryMeanings, async ({ history, plans }) => {
        const naive = live(history)
        const store = await cluster.store(history, analyzer)
        for (const plan of plans) {
          const outcome = await store.search(plan)
          assertSameOutcome(naive.search(plan), outcome, plan)
          added += outcome.foundByMeaning ?? 0
        }
      }),
      { numRuns: runs, endOnFailure: process.env['FUZZ_SHRINK'] === undefined },
    )
    assert.ok(added > 0)
  })

  test('goes on page by page where words end and meaning alone finds', async () => {
    await using cluster = await SearchedStoreForTest.openIndex()
    const history = largeHistory()
    const naive = live(history)
    const store = await cluster.store(history, analyzer)
    const vector = queryVector([1, 0, 0, 0, 0, 0, 0, 0], 'cosine')
    const rule = { weight: 0.3, words: 1, isQuestion: false, least: -1 }
    const plan: SearchPlan = {
      ...EMPTY_PLAN,
      slots: [plainSlot('lamp', analyzer.stem('lamp'))],
      fieldWeights: [1, 0],
      lengthNorms: [0.5, 0.5],
      titleField: 0,
      sort: [BY_SCORE],
      meaning: { field: 1, vector, ...rule },
      size: 40,
    }
    for (let from = 0; from < 720; from += 40) {
      const expected = naive.search({ ...plan, from })
      assertSameOutcome(expected, await store.search({ ...plan, from }), plan)
    }
  })
})

/** 250 documents that a word finds, all alike, and 400 that only their meaning finds. */
function largeHistory(): History {
  const roles = { searchable: false, facet: false, sort: false }
  const schema: Schema = {
    fields: [
      { name: 'title', type: 'string', ...roles, searchable: true },
      { name: 'meaning', type: 'vector', ...roles, vector: { dimensions: 8, metric: 'cosine' } },
    ],
  }
  const documents = Array.from({ length: 650 }, (_, i): IndexDocument => {
    const angle = (i * 37 * Math.PI) / 650
    const vector = [Math.cos(angle), Math.sin(angle), 0, 0, 0, 0, 0, 0]
    return { docKey: i + 1, id: `d${i}`, values: [i < 250 ? 'lamp' : 'torch', vector] }
  })
  const steps = documents.map((document) => ({ kind: 'add', document }) as const)
  return { schema, initialSchema: schema, steps }
}

function vectorOrdinal({ fields }: Schema): number {
  return fields.findIndex(({ vector }) => vector !== undefined)
}

function live(history: History): NaiveIndex {
  const naive = new NaiveIndex(history.initialSchema, analyzer)
  for (const step of history.steps) {
    if (step.kind === 'add') naive.add(step.document)
    else if (step.kind === 'remove') naive.remove(step.docKey)
    else if (step.kind === 'schema') naive.setSchema(step.schema)
  }
  return naive
}
