import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DictionaryReader, DictionaryWriter } from '../dictionary/shared-dictionary.ts'
import { tinyAnalyzer } from '../naive/tiny-analyzer.ts'
import type { Field, FieldValue } from '../schema/schema.ts'
import type { Column } from './column-reader.ts'
import { openColumn } from './column-reader.ts'
import { mergeColumns } from './column-merger.ts'
import {
  arbitraryColumnValues,
  arbitraryFieldType,
  columnOf,
  fieldForTest,
  reopen,
} from './column-for-test.ts'

type Values = readonly (FieldValue | undefined)[]

/** Merges segments with these values; `isKept` is by document, numbered across all segments. */
function merge(
  field: Field,
  segments: readonly Values[],
  isKept: (doc: number) => boolean,
): { merged: Column | undefined; expected: Column | undefined } {
  const dictionary = new DictionaryWriter()
  const kept: (FieldValue | undefined)[] = []
  let doc = 0
  const sources = segments.map((values) => {
    const docMap = Int32Array.from(values, (value) => (isKept(doc++) ? kept.push(value) - 1 : -1))
    return { column: columnOf(field, values, dictionary), docMap, docCount: values.length }
  })
  // Older readers know only the texts of their segment.
  const sections = reopen((writer) =>
    mergeColumns(field, 0, sources, kept.length, tinyAnalyzer.fold, writer),
  )
  const expected = columnOf(field, kept, dictionary)
  const reader = new DictionaryReader(dictionary.handles())
  return { merged: openColumn(sections, field, 0, reader, kept.length), expected }
}

function assertSameColumn(merged: Column | undefined, expected: Column | undefined): void {
  const contents = (column: Column | undefined) =>
    column && {
      ords: column.isMulti ? setsByDocument(column) : [...column.ords],
      labels: Array.from({ length: column.valueCount }, (_, rank) => column.label(rank)),
      ordCount: column.ordCount,
      width: column.ordBits,
    }
  assert.deepEqual(contents(merged), contents(expected))
}

function setsByDocument(column: Column): number[][] {
  return Array.from(column.ords, (set) => [
    ...column.setValues.subarray(column.setStart[set], column.setStart[set + 1]),
  ])
}

test('drops values that only dropped documents had', () => {
  const { merged, expected } = merge(
    fieldForTest('string'),
    [
      ['b', 'x', 'A'],
      [undefined, 'a', 'y'],
    ],
    (doc) => doc !== 1 && doc !== 5,
  )
  assert.deepEqual([...merged!.ords], [3, 1, 0, 2])
  assertSameColumn(merged, expected)
})

test('merges segments without the column, and segments without remaining documents', () => {
  const { merged } = merge(
    fieldForTest('int64[]'),
    [[undefined, []], [[2n, 1n]], [[1n], [1n, 2n, 1n]]],
    (doc) => doc !== 2,
  )
  assert.deepEqual([...merged!.ords], [0, 0, 1, 2])
  assert.equal(merge(fieldForTest('int32'), [[1], [2]], () => false).merged, undefined)
})

test('a merged column equals that of one big segment', () => {
  const input = arbitraryFieldType.chain((type) =>
    fc.record({
      type: fc.constant(type),
      segments: fc.array(arbitraryColumnValues(type), { maxLength: 5 }),
      dropped: fc.uniqueArray(fc.nat(100), { maxLength: 60 }),
    }),
  )
  fc.assert(
    fc.property(input, ({ type, segments, dropped }) => {
      const { merged, expected } = merge(fieldForTest(type), segments, (d) => !dropped.includes(d))
      assertSameColumn(merged, expected)
    }),
  )
})
