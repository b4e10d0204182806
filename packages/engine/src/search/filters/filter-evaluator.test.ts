import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { valueAnalyzer } from '../../analysis/field-analyzer.ts'
import { arbitraryFilter } from '../../naive/generate-filter.ts'
import { SHOP } from '../../naive/index-for-test.ts'
import { matches } from '../../rescoring/filter.ts'
import { tinyAnalyzer } from '../../naive/tiny-analyzer.ts'
import type { FilterLeaf, FilterNode } from '../../query/filter.ts'
import type { Schema } from '../../schema/schema.ts'
import { finish } from '../view/steps.ts'
import { ValueIndex } from '../view/value-index.ts'
import { evaluateFilter } from './filter-evaluator.ts'
import type { SegmentForTest } from '../segments-for-test.ts'
import { arbitrarySegments, contextForTest, segmentsForTest } from '../segments-for-test.ts'

/** The words of all values, so that no value is analysed per filter. */
function valueIndexes(schema: Schema, segments: readonly SegmentForTest[]) {
  return (field: number): ValueIndex | undefined => {
    const columns = segments.map((segment) => segment.column(field))
    const dictionary = columns.find((column) => column?.type === 'string')?.dictionary
    if (dictionary === undefined) return undefined
    const index = new ValueIndex(valueAnalyzer(tinyAnalyzer, schema.fields[field]!), dictionary)
    finish(index.read({ checkDeadline: noDeadline }))
    return index
  }
}

const noDeadline = () => undefined

const [TAGS, BRAND, PRICE, STOCK, SIZES] = [1, 2, 3, 4, 5]
const [shop] = segmentsForTest(SHOP, [
  [
    ['red shoe', ['T-Shirt', 'x'], 'Nike', 1.5, 2n ** 53n, [1, 2], true],
    ['hat', [], 'nike', -0, 2n ** 53n + 1n, [3], false],
    ['hat', ['red'], 'Café', 3, undefined, undefined, undefined],
    ['hat', undefined, '', undefined, -1n, [2, 5], true],
  ],
]) as [SegmentForTest]

function docsOf(filter: FilterNode): number[] {
  const bits = shop.evaluate(filter)
  assert.equal(bits.length, 1)
  return [...Array(32).keys()].filter((doc) => (bits[0]! >>> doc) & 1)
}

test('compares strings folded, numbers by value', () => {
  assert.deepEqual(docsOf({ kind: 'equals', field: BRAND, value: 'nike' }), [0, 1])
  assert.deepEqual(docsOf({ kind: 'equals', field: BRAND, value: '' }), [3])
  assert.deepEqual(docsOf({ kind: 'equals', field: BRAND, value: 'nik' }), [])
  assert.deepEqual(docsOf({ kind: 'equals', field: PRICE, value: -0 }), [1])
  assert.deepEqual(docsOf({ kind: 'equals', field: STOCK, value: 2n ** 53n }), [0])
})

test('compares prefixes folded', () => {
  assert.deepEqual(docsOf({ kind: 'valuePrefix', field: BRAND, prefix: 'n' }), [0, 1])
  assert.deepEqual(docsOf({ kind: 'valuePrefix', field: BRAND, prefix: 'cafe' }), [2])
  assert.deepEqual(docsOf({ kind: 'valuePrefix', field: BRAND, prefix: 'nikes' }), [])
  assert.deepEqual(docsOf({ kind: 'valuePrefix', field: TAGS, prefix: 't-s' }), [0])
  assert.deepEqual(docsOf({ kind: 'valuePrefix', field: PRICE, prefix: '1' }), [])
})

test('numbers outside the type are above or below all values', () => {
  assert.deepEqual(docsOf({ kind: 'range', field: STOCK, high: 10n ** 30n }), [0, 1, 3])
  assert.deepEqual(docsOf({ kind: 'range', field: STOCK, low: 10n ** 30n }), [])
  assert.deepEqual(docsOf({ kind: 'range', field: SIZES, low: -1e12, high: 1e12 }), [0, 1, 3])
  assert.deepEqual(docsOf({ kind: 'equals', field: SIZES, value: 1e12 }), [])
  assert.deepEqual(docsOf({ kind: 'range', field: PRICE, high: Infinity }), [0, 1, 2])
})

test('ranges of int64 are exact, and an array matches if an element does', () => {
  assert.deepEqual(
    docsOf({ kind: 'range', field: STOCK, low: 2n ** 53n, lowInclusive: false }),
    [1],
  )
  assert.deepEqual(
    docsOf({ kind: 'range', field: SIZES, low: 2, high: 3, highInclusive: false }),
    [0, 3],
  )
  assert.deepEqual(docsOf({ kind: 'range', field: SIZES, low: 3, high: 2 }), [])
})

test('an empty array has no value, an empty string is one', () => {
  assert.deepEqual(docsOf({ kind: 'exists', field: TAGS }), [0, 2])
  assert.deepEqual(docsOf({ kind: 'not', node: { kind: 'exists', field: TAGS } }), [1, 3])
  assert.deepEqual(docsOf({ kind: 'exists', field: BRAND }), [0, 1, 2, 3])
})

test('searches the values for words, including joined spellings', () => {
  assert.deepEqual(docsOf({ kind: 'words', field: TAGS, forms: ['tshirt', 'shirt'] }), [0])
  assert.deepEqual(docsOf({ kind: 'words', field: TAGS, forms: ['shirt', 'x'] }), [])
  assert.deepEqual(docsOf({ kind: 'wordPrefix', field: BRAND, prefix: 'ca' }), [2])
})

test('ids match only documents of this segment', () => {
  assert.deepEqual(docsOf({ kind: 'ids', ids: ['id-3', 'id-0', 'id-77'] }), [0, 3])
})

test('an empty AND matches everything, an empty OR nothing', () => {
  assert.deepEqual(docsOf({ kind: 'and', nodes: [] }), [0, 1, 2, 3])
  assert.deepEqual(docsOf({ kind: 'or', nodes: [] }), [])
})

test('a filter by value on a field without a column throws', () => {
  const schema = { fields: [{ ...SHOP.fields[0]!, sort: false }] }
  const [segment] = segmentsForTest(schema, [[['red']]]) as [SegmentForTest]
  assert.throws(() => segment.evaluate({ kind: 'equals', field: 0, value: 'red' }), /no column/)
})

test('evaluates thousands of values of one field in one pass', () => {
  const rows = Array.from({ length: 4_000 }, (_, i) => ['t', [], `Brand ${i % 3_000}`])
  const [segment] = segmentsForTest(SHOP, [rows]) as [SegmentForTest]
  const nodes = Array.from({ length: 5_000 }, (_, i): FilterLeaf => {
    return { kind: 'equals', field: BRAND, value: `brand ${i * 2}` }
  })
  const bits = segment.evaluate({ kind: 'or', nodes: nodes.toReversed() })
  for (let doc = 0; doc < 4_000; doc++) {
    assert.equal((bits[doc >>> 5]! >>> (doc & 31)) & 1, (doc % 3_000) % 2 === 0 ? 1 : 0)
  }
})

test('a deadline ends the evaluation', () => {
  const checkDeadline = () => {
    throw new Error('late')
  }
  const leaf = { kind: 'wordPrefix', field: BRAND, prefix: 'zz' } as const
  assert.throws(
    () => evaluateFilter(leaf, shop, { ...contextForTest(SHOP), checkDeadline }),
    /late/,
  )
})

test('any filter equals the naive twin, also the second time', () => {
  const input = arbitrarySegments().chain(({ schema, parts }) =>
    fc.record({
      schema: fc.constant(schema),
      parts: fc.constant(parts),
      filters: fc.array(arbitraryFilter(schema, tinyAnalyzer), { minLength: 1, maxLength: 12 }),
    }),
  )
  fc.assert(
    fc.property(input, ({ schema, parts, filters }) => {
      const segments = segmentsForTest(schema, parts)
      const context = { ...contextForTest(schema), valueIndex: valueIndexes(schema, segments) }
      for (const segment of segments) {
        for (const filter of [...filters, ...filters.map((node) => structuredClone(node))]) {
          const bits = segment.evaluate(filter)
          assert.equal(bits.length, (segment.docCount + 31) >>> 5)
          const found = [...Array(bits.length * 32).keys()].filter(
            (doc) => (bits[doc >>> 5]! >>> (doc & 31)) & 1,
          )
          const expected = segment.documents.flatMap((document, docOrd) =>
            matches(document, filter, tinyAnalyzer) ? [docOrd] : [],
          )
          assert.deepEqual(found, expected)
          const indexed = evaluateFilter(filter, { ...segment, filterCache: undefined }, context)
          assert.deepEqual(indexed, bits)
        }
      }
    }),
    { numRuns: 150 },
  )
})
