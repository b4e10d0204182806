import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { newBitset, setBit } from '../../codec/bitset.ts'
import { assertSameOutcome } from '../../naive/agreement.ts'
import { arbitraryPlan } from '../../naive/generate-plan.ts'
import { SHOP } from '../../naive/index-for-test.ts'
import { countFacet } from '../../rescoring/facets.ts'
import { tinyAnalyzer } from '../../naive/tiny-analyzer.ts'
import type { FacetOutcome, FacetRequest, SearchOutcome } from '../../query/plan.ts'
import { deadlineCheck } from '../view/deadline.ts'
import { finish } from '../view/steps.ts'
import { FacetCounter } from './facet-counter.ts'
import { FacetMemory } from './facet-memory.ts'
import type { SegmentForTest } from '../segments-for-test.ts'
import { arbitrarySegments, segmentsForTest } from '../segments-for-test.ts'

const BRAND = 2
const SIZES = 5

test('documents of one segment may come in several lists', () => {
  const [segment] = segmentsForTest(SHOP, [
    [['', [], 'b'], ['', [], 'a'], ['', [], 'b'], ['']],
  ]) as [SegmentForTest]
  const request: FacetRequest = { field: BRAND, limit: 9, order: 'count', stats: true }
  const counter = new FacetCounter([request], SHOP, tinyAnalyzer)
  counter.addDocs([0], segment, new Uint32Array([0, 1, 99]), 2)
  counter.addDocs([0], segment, new Uint32Array([2, 3]), 2)
  const counts = [
    { value: 'b', count: 2 },
    { value: 'a', count: 1 },
  ]
  assert.deepEqual(finish(counter.outcome()), [{ field: BRAND, counts, totalValues: 2 }])
})

test('counts more values than 16 bits can number, single and in sets', () => {
  const count = 70_000
  const rows = Array.from({ length: count }, (_, i) => {
    return ['', [], `brand ${i}`, i / 2, BigInt(i), [i, i + 1]]
  })
  const [segment] = segmentsForTest(SHOP, [rows]) as [SegmentForTest]
  const requests = [BRAND, 3, 4, SIZES].map((field): FacetRequest => ({
    field,
    limit: 3,
    order: 'count',
    stats: true,
  }))
  const counter = new FacetCounter(requests, SHOP, tinyAnalyzer)
  const docs = new Uint32Array([69_999, 5, 4, 1_000])
  counter.addDocs([...requests.keys()], segment, docs, docs.length)
  const documents = Array.from(docs, (doc) => segment.documents[doc]!)
  const expected = requests.map((request) =>
    countFacet(request, SHOP.fields[request.field]!, documents, tinyAnalyzer),
  )
  assertSameFacets(expected, finish(counter.outcome()))
})

test('a facet query over very many labels checks the deadline', () => {
  const rows = Array.from({ length: 5_000 }, (_, i) => ['', [], `brand ${i}`])
  const [segment] = segmentsForTest(SHOP, [rows]) as [SegmentForTest]
  const all = { field: BRAND, limit: 3, order: 'count', stats: false } as const
  const counter = new FacetCounter(
    [{ ...all, query: [{ form: 'brand', edits: 0 }] }, all],
    SHOP,
    tinyAnalyzer,
  )
  const docs = Uint32Array.from(rows.keys())
  for (const request of [0, 1]) counter.addDocs([request], segment, docs, docs.length)
  const [searched, plain] = finish(
    counter.outcome({
      checkDeadline: deadlineCheck(performance.now() - 1),
    }),
  )
  assert.deepEqual(searched, { field: BRAND, counts: [], totalValues: 0 })
  assert.equal(plain!.totalValues, 5_000)
  assert.ok(counter.isCut)
})

test('counts of all live documents are cached until the live documents change', () => {
  const [segment] = segmentsForTest(SHOP, [
    [
      ['', [], 'a'],
      ['', [], 'b'],
    ],
  ]) as [SegmentForTest]
  const request: FacetRequest = { field: BRAND, limit: 9, order: 'value', stats: false }
  const countAll = (live: Uint32Array | undefined, owner: object) => {
    const counter = new FacetCounter([request], SHOP, tinyAnalyzer)
    counter.addAll(0, segment, live, 2, owner)
    return finish(counter.outcome())[0]!.counts.map(({ value }) => value)
  }
  const owner = {}
  assert.deepEqual(countAll(undefined, owner), ['a', 'b'])
  assert.deepEqual(countAll(undefined, owner), ['a', 'b'])
  assert.deepEqual(countAll(new Uint32Array([2]), owner), ['b'])
  assert.deepEqual(countAll(new Uint32Array([1]), owner), ['a'])
})

function assertSameFacets(
  expected: readonly FacetOutcome[],
  actual: readonly FacetOutcome[],
): void {
  const outcome = (facets: readonly FacetOutcome[]): SearchOutcome => {
    return { found: 0, hits: [], facets, cutoff: false, matchedTerms: 'all', expansions: [] }
  }
  assertSameOutcome(outcome(expected), outcome(actual), { slots: [] } as never)
}

/** One with enough memory, and some without enough for columns or for tables. */
const MEMORIES = [
  new FacetMemory(),
  new FacetMemory(0),
  new FacetMemory(64),
  new FacetMemory(1_024, 64),
]

test('any facet equals the naive twin, from lists, sets and over all live documents', () => {
  const input = arbitrarySegments().chain(({ schema, parts }) =>
    fc.record({
      schema: fc.constant(schema),
      parts: fc.constant(parts),
      plan: arbitraryPlan(schema, tinyAnalyzer),
      matching: fc.array(fc.nat(5), { minLength: 50, maxLength: 50 }),
      ways: fc.array(fc.constantFrom('all', 'lists', 'set', 'list and set'), {
        minLength: 4,
        maxLength: 4,
      }),
      memory: fc.constantFrom(...MEMORIES),
    }),
  )
  fc.assert(
    fc.property(input, ({ schema, parts, plan, matching, ways, memory }) => {
      const segments = segmentsForTest(schema, parts)
      const counter = new FacetCounter(plan.facets, schema, tinyAnalyzer, () => undefined, {
        take: () => memory,
        giveBack: () => undefined,
      })
      const documents = segments.flatMap((segment, s) => {
        const matches = [...segment.documents.keys()].filter((doc) => matching[doc % 50] !== 0)
        const live = newBitset(segment.docCount)
        for (const doc of matches) setBit(live, doc)
        const half = matches.length >> 1
        const way = ways[s]!
        const listed = way === 'list and set' ? matches.slice(0, half) : matches
        const rest = newBitset(segment.docCount)
        for (const doc of way === 'set' ? matches : matches.slice(half)) setBit(rest, doc)
        plan.facets.forEach((_, i) => {
          if (way === 'all') counter.addAll(i, segment, live, segment.docCount, live)
          if (!way.includes('list')) return
          counter.addDocs([i], segment, Uint32Array.from(listed.slice(0, half)), half)
          const others = Uint32Array.from(listed.slice(half))
          counter.addDocs([i], segment, others, others.length)
        })
        if (way.includes('set')) counter.addSet([...plan.facets.keys()], segment, rest, 0)
        return matches.map((doc) => segment.documents[doc]!)
      })
      const expected = plan.facets.map((request) =>
        countFacet(request, schema.fields[request.field]!, documents, tinyAnalyzer),
      )
      assertSameFacets(expected, finish(counter.outcome()))
    }),
    { numRuns: 300 },
  )
})

test('finds the first by count among many, even with many ties', () => {
  const values = (doc: number) => (doc % 3 === 0 ? doc % 90 : (doc * 7) % 2_000)
  const rows = Array.from({ length: 5_000 }, (_, doc) => ['', [], `brand ${values(doc)}`])
  const segments = segmentsForTest(SHOP, [rows.slice(0, 3_000), rows.slice(3_000)])
  for (const share of [1, 2, 7, 100]) {
    for (const limit of [0, 1, 10, 40, 5_000]) {
      const request: FacetRequest = { field: BRAND, limit, order: 'count', stats: false }
      const counter = new FacetCounter([request], SHOP, tinyAnalyzer)
      const documents = segments.flatMap((segment) => {
        const set = newBitset(segment.docCount)
        const kept = segment.documents.filter((_, doc) => doc % share === 0)
        for (let doc = 0; doc < segment.docCount; doc += share) setBit(set, doc)
        counter.addSet([0], segment, set, 0)
        return kept
      })
      const expected = countFacet(request, SHOP.fields[BRAND]!, documents, tinyAnalyzer)
      assertSameFacets([expected], finish(counter.outcome()))
    }
  }
})
