import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { arbitraryPlan } from '../../naive/generate-plan.ts'
import { SHOP } from '../../naive/index-for-test.ts'
import { sortDocuments } from '../../rescoring/sort.ts'
import { tinyAnalyzer } from '../../naive/tiny-analyzer.ts'
import type { SearchPlan, SortKey } from '../../query/plan.ts'
import type { Schema } from '../../schema/schema.ts'
import { finish } from '../view/steps.ts'
import { SortedCollector } from './sorted-collector.ts'
import type { SegmentForTest } from '../segments-for-test.ts'
import { arbitrarySegments, segmentsForTest } from '../segments-for-test.ts'

const NEVER = { checkDeadline: () => undefined }

/** docKeys of ranks `from .. from + size - 1` if every document matches. */
function keysInOrder(
  segments: readonly SegmentForTest[],
  sort: readonly SortKey[],
  scoreOf: (docKey: number) => number,
  { from = 0, size = 1_000, isReversed = false } = {},
): number[] {
  const collector = new SortedCollector(sort, from + size, tinyAnalyzer)
  segments.forEach((segment, segmentIndex) => {
    collector.beginSegment(segmentIndex, segment)
    const docs = [...segment.documents.keys()]
    for (const doc of isReversed ? docs.toReversed() : docs) {
      collector.collect(doc, scoreOf(segment.docKeys[doc]!))
    }
  })
  return collector.finish(from, size).map(({ segmentIndex, docOrd, score }) => {
    const docKey = segments[segmentIndex]!.docKeys[docOrd]!
    assert.equal(score, scoreOf(docKey))
    return docKey
  })
}

const segments = segmentsForTest(SHOP, [
  [
    ['', [], 'b', 1, 2n ** 53n + 1n],
    ['', [], 'B', undefined, 1n],
    ['', [], '\u{1f600}', 3, 5n],
  ],
  [],
  [
    ['', [], 'a', 2, 2n ** 53n],
    ['', [], '\uffe5', 1, undefined],
    ['', [], 'b'],
  ],
])

/** Insertions in another order than the last writes. */
function mixed(docKey: number): number {
  return (docKey * 7) % 1009
}

function sortedBy(key: SortKey): number[] {
  return keysInOrder(segments, [key], () => 0)
}

test('compares values of a field across segments, texts folded first, missing ones at their end', () => {
  const brand = { kind: 'field', field: 2, missing: 'last' } as const
  assert.deepEqual(sortedBy({ ...brand, descending: false }), [4, 2, 6, 1, 5, 3])
  const price = { kind: 'field', field: 3, missing: 'last' } as const
  assert.deepEqual(sortedBy({ ...price, descending: false }), [5, 1, 4, 3, 6, 2])
  assert.deepEqual(sortedBy({ ...price, descending: true, missing: 'first' }), [6, 2, 3, 4, 5, 1])
  const stock = { kind: 'field', field: 4, missing: 'last', descending: true } as const
  assert.deepEqual(sortedBy(stock), [1, 4, 3, 2, 6, 5])
})

test('without keys, sorts by score, then by insertion, the last first', () => {
  assert.deepEqual(
    keysInOrder(segments, [], (docKey) => docKey % 2),
    [5, 3, 1, 6, 4, 2],
  )
  const updated = segmentsForTest(
    SHOP,
    [
      [[], [], []],
      [[], []],
    ],
    (docKey) => 9 - docKey,
  )
  assert.deepEqual(
    keysInOrder(updated, [], (docKey) => docKey % 2),
    [1, 3, 5, 2, 4],
  )
})

test('any order equals the naive twin, page by page', () => {
  const input = arbitrarySegments().chain(({ schema, parts }) =>
    fc.record({
      schema: fc.constant<Schema>(schema),
      parts: fc.constant(parts),
      plan: arbitraryPlan(schema, tinyAnalyzer),
      scores: fc.array(fc.nat(3), { minLength: 7, maxLength: 7 }),
      from: fc.constantFrom(0, 0, 1, 5, 200),
      size: fc.constantFrom(0, 1, 10, 1_000),
      isReversed: fc.boolean(),
      isUpdated: fc.boolean(),
    }),
  )
  fc.assert(
    fc.property(input, ({ schema, parts, plan, scores, isUpdated, ...options }) => {
      const made = segmentsForTest(schema, parts, isUpdated ? mixed : undefined)
      const scoreOf = (docKey: number) => scores[docKey % 7]!
      const ranked = made.flatMap((segment) =>
        segment.documents.map((document) => {
          return { document, textMatchScore: scoreOf(document.docKey) }
        }),
      )
      const expected = sortDocuments(ranked, plan satisfies SearchPlan, schema, tinyAnalyzer)
        .slice(options.from, options.from + options.size)
        .map(({ document }) => document.docKey)
      assert.deepEqual(keysInOrder(made, plan.sort, scoreOf, options), expected)
    }),
    { numRuns: 200 },
  )
})

test('the first documents by a key of few values are those of all, newest first', () => {
  const price = fc.option(fc.nat(3), { nil: undefined })
  const key = fc.record({
    kind: fc.constant('field' as const),
    field: fc.constant(3),
    descending: fc.boolean(),
    missing: fc.constantFrom('first' as const, 'last' as const),
  })
  const input = fc.record({
    prices: fc.array(price, { minLength: 60, maxLength: 120 }),
    key,
    size: fc.integer({ min: 1, max: 3 }),
    left: fc.array(fc.nat(119), { maxLength: 30 }),
    isUpdated: fc.boolean(),
  })
  fc.assert(
    fc.property(input, ({ prices, key: sortKey, size, left, isUpdated }) => {
      const rows = prices.map((value) => ['', [], 'b', value])
      const made = segmentsForTest(SHOP, [rows], isUpdated ? mixed : undefined)
      const [segment] = made as [SegmentForTest]
      const set = new Uint32Array(4)
      const matching = prices.flatMap((_, docOrd) => (left.includes(docOrd) ? [] : [docOrd]))
      for (const docOrd of matching) set[docOrd >>> 5]! |= 1 << (docOrd & 31)
      const page = (docOrds: Iterable<number> | undefined) => {
        const collector = new SortedCollector([sortKey], size, tinyAnalyzer)
        collector.beginSegment(0, segment)
        docOrds ??= finish(collector.firstOf(set, matching.length, NEVER, true))
        assert.ok(docOrds !== undefined)
        for (const docOrd of docOrds) collector.collect(docOrd, 0)
        return collector.finish(0, size).map(({ docOrd }) => docOrd)
      }
      assert.deepEqual(page(undefined), page(matching))
    }),
  )
})
