import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import type { FilterNode } from '../query/filter.ts'
import type { SearchPlan } from '../query/plan.ts'
import { assertAgreement, assertSameOutcome } from './agreement.ts'
import type { History } from './generate.ts'
import { arbitraryHistory, arbitrarySchema } from './generate.ts'
import { arbitraryFilter } from './generate-filter.ts'
import { arbitraryPlan } from './generate-plan.ts'
import { ascending, SHOP, shopIndex, shopPlan } from './index-for-test.ts'
import { NaiveIndex } from './naive-index.ts'
import { tinyAnalyzer } from './tiny-analyzer.ts'

/** Executes a generated history. */
function build({ initialSchema, steps }: History): NaiveIndex {
  const index = new NaiveIndex(initialSchema, tinyAnalyzer)
  for (const step of steps) {
    if (step.kind === 'add') index.add(step.document)
    if (step.kind === 'remove') index.remove(step.docKey)
    if (step.kind === 'schema') index.setSchema(step.schema)
  }
  return index
}

/** The history of an index, with a plan and a filter for it. */
const arbitraryCase = arbitrarySchema().chain((schema) =>
  fc.record({
    history: arbitraryHistory(schema),
    plan: arbitraryPlan(schema, tinyAnalyzer),
    filter: arbitraryFilter(schema, tinyAnalyzer),
  }),
)
const RUNS = { numRuns: 60 }

/** The whole result in one page. */
function whole(plan: SearchPlan): SearchPlan {
  return { ...plan, from: 0, size: 10_000 }
}

function keysOf(index: NaiveIndex, plan: SearchPlan): number[] {
  return index.search(whole(plan)).hits.map((hit) => hit.docKey)
}

suite('laws of search', () => {
  test('consecutive pages equal one large page', () => {
    fc.assert(
      fc.property(arbitraryCase, fc.integer({ min: 1, max: 40 }), ({ history, plan }, size) => {
        const index = build(history)
        const { hits, found } = index.search(whole(plan))
        assert.equal(hits.length, found)
        const pages = []
        for (let from = 0; from < found; from += size) {
          const page = index.search({ ...plan, from, size })
          assert.equal(page.found, found)
          pages.push(...page.hits)
        }
        assert.deepEqual(pages, hits)
      }),
      RUNS,
    )
  })

  test('a filter never increases found, and a filter and its complement find everything once', () => {
    fc.assert(
      fc.property(arbitraryCase, ({ history, plan, filter }) => {
        const index = build(history)
        const { filter: _, ...rest } = plan
        const all = keysOf(index, rest)
        const met = keysOf(index, { ...rest, filter })
        const unmet = keysOf(index, { ...rest, filter: { kind: 'not', node: filter } })
        assert.deepEqual([...met, ...unmet].toSorted(ascending), all.toSorted(ascending))
      }),
      RUNS,
    )
  })

  test('the order never changes what is found', () => {
    fc.assert(
      fc.property(arbitraryCase, ({ history, plan }) => {
        const index = build(history)
        const keys = keysOf(index, plan)
        assert.deepEqual(
          keysOf(index, { ...plan, sort: [] }).toSorted(ascending),
          keys.toSorted(ascending),
        )
      }),
      RUNS,
    )
  })

  test('requiring all words finds a subset of what one word finds', () => {
    fc.assert(
      fc.property(arbitraryCase, ({ history, plan }) => {
        const index = build(history)
        // If a query has both stopwords and other words, requiring all can find a document that
        // matches by a stopword.
        if (plan.slots.some((slot) => slot.stopword)) return
        // Relevance is off, because it is relative to the best document, which may differ.
        const any = { ...plan, minRelevance: 0 }
        const some = new Set(keysOf(index, { ...any, requireAllTerms: false }))
        for (const key of keysOf(index, { ...any, requireAllTerms: true })) assert.ok(some.has(key))
      }),
      RUNS,
    )
  })

  test('typo tolerance off finds no more', () => {
    fc.assert(
      fc.property(arbitraryCase, ({ history, plan }) => {
        const index = build(history)
        // Corrections may be enough for requiring all words, which then finds less.
        const requireAllTerms = plan.requireAllTerms === true
        const any = { ...plan, minRelevance: 0, requireAllTerms }
        const exact = { ...any, slots: plan.slots.map((slot) => ({ ...slot, edits: 0 as const })) }
        // A correction can make a word known, so that a stopword alone no longer matches.
        if (plan.slots.some((slot) => slot.stopword)) return
        // ... or so that the word is no longer searched inside others.
        if (plan.slots.some((slot) => slot.infix === 'fallback')) return
        const tolerant = new Set(keysOf(index, any))
        for (const key of keysOf(index, exact)) assert.ok(tolerant.has(key))
      }),
      RUNS,
    )
  })

  test('facets never change the hits, and a facet counts each matching document once', () => {
    fc.assert(
      fc.property(arbitraryCase, ({ history, plan }) => {
        const index = build(history)
        const outcome = index.search(plan)
        assert.deepEqual(index.search({ ...plan, facets: [] }).hits, outcome.hits)
        if (plan.disjunctiveFacets) return
        for (const { counts } of outcome.facets) {
          for (const { count } of counts) assert.ok(count <= outcome.found)
        }
      }),
      RUNS,
    )
  })

  test('neither the order of writes nor removed documents make a difference', () => {
    fc.assert(
      fc.property(arbitraryCase, ({ history, plan }) => {
        const lived = build(history)
        const live = new Map(
          history.steps.flatMap((step) =>
            step.kind === 'add' ? [[step.document.docKey, step.document]] : [],
          ),
        )
        for (const step of history.steps) if (step.kind === 'remove') live.delete(step.docKey)
        const fresh = new NaiveIndex(history.schema, tinyAnalyzer)
        for (const document of [...live.values()].toReversed()) fresh.add(document)
        assert.equal(fresh.docCount, lived.docCount)
        assertAgreement(lived, fresh, plan)
      }),
      RUNS,
    )
  })
})

test('relevance is relative to the best document, even if it is filtered out or pinned', () => {
  const index = shopIndex(['red', 'red hat', 'red hat shoe bed table spread run', 'blue'])
  const keys = (changes: Parameters<typeof shopPlan>[1]) =>
    index.search(shopPlan('red', changes)).hits.map(({ docKey }) => docKey)
  assert.deepEqual(keys({}), [1, 2, 3])
  assert.deepEqual(keys({ minRelevance: 0 }), [1, 2, 3])
  assert.deepEqual(keys({ minRelevance: 1 }), [1])
  const share = (docKey: number): number => {
    const score = (key: number) =>
      index.search(shopPlan('red')).hits.find((hit) => hit.docKey === key)!.textMatchScore % 2 ** 40
    return score(docKey) / score(1)
  }
  assert.deepEqual(keys({ minRelevance: share(2) }), [1, 2])
  assert.deepEqual(keys({ minRelevance: share(2) + 1e-9 }), [1])
  const low = { minRelevance: share(2) }
  const others: FilterNode = { kind: 'not', node: { kind: 'ids', ids: ['1'] } }
  assert.deepEqual(keys({ ...low, filter: others }), [2])
  assert.deepEqual(keys({ ...low, boosts: [{ filter: others, factor: 0.01 }] }), [1, 2])
  assert.deepEqual(keys({ ...low, pins: [{ id: '1', position: 2 }] }), [2, 1])
  assert.deepEqual(keys({ ...low, pins: [{ id: '4', position: 1 }] }), [4, 1, 2])
  const everything = index.search(shopPlan('', { minRelevance: 1 }))
  assert.equal(everything.found, 4)
})

test('a schema can grow: documents lack the new field until rewritten', () => {
  const index = new NaiveIndex({ fields: SHOP.fields.slice(0, 1) }, tinyAnalyzer)
  index.add({ docKey: 1, id: 'a', values: ['red'] })
  index.setSchema(SHOP)
  index.add({ docKey: 2, id: 'b', values: ['red', ['hat']] })
  assert.deepEqual(index.search(shopPlan('red')).found, 2)
  assert.deepEqual(index.search(shopPlan('hat')).found, 1)
  const sort = [{ kind: 'field', field: 3, descending: true, missing: 'last' }] as const
  assert.deepEqual(index.search(shopPlan('', { sort })).found, 2)
})

test('a document key is unique', () => {
  const index = shopIndex(['red'])
  assert.throws(() => index.add({ docKey: 1, id: 'x', values: [] }), /the key is in use/)
})

test('an empty index finds nothing', () => {
  const index = shopIndex([])
  assert.equal(index.search(shopPlan('red', { typoMax: 2, prefix: 'always' })).found, 0)
  assert.equal(index.search(shopPlan('')).found, 0)
})

test('a disagreement is reported with its path and the plan', () => {
  const index = shopIndex(['red shoe', 'red'])
  const plan = shopPlan('red')
  const outcome = index.search(plan)
  const wrong = { ...outcome, found: 3, hits: outcome.hits.toReversed() }
  assert.throws(
    () => assertSameOutcome(outcome, wrong, plan),
    /^AssertionError.*: 3 differences\nfound\n {2}naive: 2\n {2}other: 3\nhit 0\n[^]*plan: \{/,
  )
})
