import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { IndexWriter } from '../indexer/index-writer.ts'
import type { SearchOutcome } from '../query/plan.ts'
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
})
