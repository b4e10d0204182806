import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createAnalyzer } from '../analysis/create-analyzer.ts'
import { IndexWriter } from '../indexer/index-writer.ts'
import { planForTest } from '../naive/plan-for-test.ts'
import { packPlace } from '../places/place.ts'
import type { SearchOutcome, SearchPlan } from '../query/plan.ts'
import type { Schema } from '../schema/schema.ts'
import { GOODS, goodsDocument, goodsPlans } from './goods-for-test.ts'
import { Searcher } from './searcher.ts'

const DOCUMENTS = 3_000

function filled(): IndexWriter {
  const writer = new IndexWriter(GOODS, 'en')
  for (let from = 0; from < DOCUMENTS; from += 1_000) {
    const added = Array.from({ length: 1_000 }, (_, i) => goodsDocument(from + i + 1))
    writer.apply({ added, removed: [] })
  }
  return writer
}

/** Runs generators in turns, one step each. @returns their results, and how often they yielded */
function inTurns<T>(all: readonly Generator<void, T>[]): { results: T[]; yields: number } {
  const results: T[] = []
  let yields = 0
  for (let open = [...all.entries()]; open.length > 0;) {
    open = open.filter(([i, steps]) => {
      const step = steps.next()
      if (step.done === true) results[i] = step.value
      else yields++
      return step.done !== true
    })
  }
  return { results, yields }
}

suite('searches in turns', () => {
  const writer = filled()
  for (const rankAllMax of [0, 1_000]) {
    test(`answer like one after the other, with up to ${rankAllMax} postings listed`, () => {
      const searcher = new Searcher(undefined, rankAllMax)
      searcher.update(writer.snapshot())
      const plans = goodsPlans().flatMap((plan) => [
        plan,
        { ...plan, minRelevance: 0.5 },
        {
          ...plan,
          groups: { fields: [1], limit: 2, missing: 'apart', facetCount: 'groups' } as const,
        },
      ])
      const whole = plans.map((plan) => searcher.search(plan, () => undefined))
      const steps = plans.map((plan) =>
        searcher.steps(
          plan,
          () => undefined,
          () => true,
        ),
      )
      const { results, yields } = inTurns<SearchOutcome>(steps)
      assert.deepEqual(results, whole)
      assert.ok(yields > 5 * plans.length, `${yields} yields`)
    })
  }

  // The frequencies of words, which scores depend on, are shared with the writer.
  test('stay with the documents of their snapshot, whatever is written meanwhile', () => {
    const changing = filled()
    const searcher = new Searcher(undefined, 0)
    searcher.update(changing.snapshot())
    const plans = goodsPlans()
    const before = plans.map((plan) => searcher.search(plan, () => undefined))
    const steps = plans.map((plan) =>
      searcher.steps(
        plan,
        () => undefined,
        () => true,
      ),
    )
    for (const one of steps) one.next()
    const removed = Array.from({ length: DOCUMENTS / 2 }, (_, i) => goodsDocument(2 * i + 1))
    changing.apply({ added: [goodsDocument(DOCUMENTS + 1)], removed })
    searcher.update(changing.snapshot())
    const counted = ({ found, facets }: SearchOutcome) => ({ found, facets })
    assert.notEqual(searcher.search(plans[0]!, () => undefined).found, before[0]!.found)
    assert.deepEqual(inTurns(steps).results.map(counted), before.map(counted))
  })

  // A window of 65,536 documents was one step: 100 ms for shops with ten places each.
  test('within a window, distances and groups of several fields are divided into steps', () => {
    const documents = 20_000
    const schema: Schema = {
      fields: [
        { name: 'title', type: 'string', searchable: true, facet: false, sort: false },
        { name: 'brand', type: 'string', searchable: false, facet: true, sort: false },
        { name: 'unique', type: 'string', searchable: false, facet: true, sort: false },
        { name: 'shops', type: 'geopoint[]', searchable: false, facet: false, sort: false },
      ],
    }
    const place = (i: number) => packPlace({ lat: 40 + (i % 997) / 200, lon: (i % 991) / 150 })
    const writer = new IndexWriter(schema, 'en')
    const added = Array.from({ length: documents }, (_, docKey) => ({
      docKey,
      id: String(docKey),
      values: [`word${docKey % 5}`, `b${docKey % 50}`, `u${docKey}`, [place(docKey), place(7)]],
    }))
    writer.apply({ added, removed: [] })
    const searcher = new Searcher(undefined, 0)
    searcher.update(writer.snapshot())
    const yieldsOf = (q: string, changes: Partial<SearchPlan>): number => {
      const plan = planForTest(q, schema, createAnalyzer('en'), changes)
      const steps = searcher.steps(
        { ...plan, deadlineMs: Infinity },
        () => undefined,
        () => true,
      )
      const { results, yields } = inTurns<SearchOutcome>([steps])
      assert.ok(results[0]!.found > 0)
      return yields
    }
    const byDistance: SearchPlan['sort'] = [
      {
        kind: 'distance',
        field: 3,
        from: { lat: 45, lon: 7 },
        excludeMeters: 0,
        precisionMeters: 0,
        descending: false,
        missing: 'last',
      },
    ]
    const groups = { fields: [1, 2], limit: 2, missing: 'apart', facetCount: 'groups' } as const
    const facets = [{ field: 1, limit: 5, order: 'count', stats: false } as const]
    const counted = {
      browsed: yieldsOf('', { sort: byDistance }) - yieldsOf('', {}),
      found: yieldsOf('word1', { sort: byDistance }) - yieldsOf('word1', {}),
      grouped: yieldsOf('', { groups, facets }) - yieldsOf('', { facets }),
    }
    assert.ok(counted.browsed >= documents / 2_048, `${counted.browsed}`)
    assert.ok(counted.found >= documents / 5 / 1_024, `${counted.found}`)
    assert.ok(counted.grouped >= documents / 4_096 + documents / 16_384, `${counted.grouped}`)
  })
})
