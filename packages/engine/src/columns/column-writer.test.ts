import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DictionaryWriter } from '../dictionary/shared-dictionary.ts'
import { distinctElements } from '../rescoring/candidate-document.ts'
import { compareCodePoints } from '../codec/code-points.ts'
import type { Scalar } from '../schema/schema.ts'
import { tinyAnalyzer } from '../naive/tiny-analyzer.ts'
import { ColumnBuilder } from './column-writer.ts'
import {
  arbitraryColumnValues,
  arbitraryFieldType,
  columnOf,
  fieldForTest,
  reopen,
  valuesAt,
} from './column-for-test.ts'

test('strings are ranked by folded text, then as written, and identified by dictionary id', () => {
  const dictionary = new DictionaryWriter()
  dictionary.intern('other')
  const values = ['nike', undefined, 'Puma', 'Nike', 'nike', 'Áldi']
  const column = columnOf(fieldForTest('string'), values, dictionary)!
  assert.deepEqual([...column.ords], [3, 0, 4, 2, 3, 1])
  const ranks = [0, 1, 2, 3]
  assert.deepEqual(
    ranks.map((rank) => column.text(rank)),
    ['Áldi', 'Nike', 'nike', 'Puma'],
  )
  assert.ok(ranks.every((rank) => dictionary.text(column.valueIds[rank]!) === column.text(rank)))
})

test('the values of a long list are sorted and written in many steps', () => {
  const count = 20_000
  const list = Array.from({ length: count }, (_, i) => `Value ${(i * 7_919) % count}`)
  const dictionary = new DictionaryWriter()
  const builder = new ColumnBuilder(fieldForTest('string[]'), 0, dictionary, tinyAnalyzer.fold)
  builder.add(0, list)
  let steps = 0
  reopen((sections) => {
    for (const _ of builder.finishInSteps(1, sections)) steps++
  })
  // Written once and sorted in runs, which are merged five times: 1,024 values in a step.
  assert.ok(steps >= (7 * count) / 1_024 - 10, `${steps} steps`)
  const column = columnOf(fieldForTest('string[]'), [list])!
  const sorted = list.toSorted((a, b) => compareCodePoints(a, b))
  assert.deepEqual(
    sorted.map((_, rank) => column.text(rank)),
    sorted,
  )
})

test('-0 is stored as 0, and shares its ordinal', () => {
  const column = columnOf(fieldForTest('float'), [-0, 0, -1.5])!
  assert.deepEqual([...column.ords], [2, 2, 1])
  assert.ok(Object.is(column.number(1), 0))
  assert.equal(column.label(0), '-1.5')
})

test('equal sets are shared, regardless of order and repetition of their elements', () => {
  const column = columnOf(fieldForTest('int32[]'), [[3, 1], [1, 3, 1], [], undefined, [2]])!
  assert.deepEqual([...column.ords], [1, 1, 0, 0, 2])
  assert.deepEqual([...column.setStart], [0, 0, 2, 3])
  assert.deepEqual([...column.setValues], [0, 2, 1])
})

test('bools are 0 and 1 and are shown as words', () => {
  const column = columnOf(fieldForTest('bool'), [true, false])!
  assert.deepEqual([...column.ords], [2, 1])
  assert.deepEqual([column.label(0), column.label(1)], ['false', 'true'])
})

test('a column without any value writes nothing', () => {
  assert.equal(columnOf(fieldForTest('int32[]'), [[], undefined]), undefined)
  assert.equal(columnOf(fieldForTest('int64'), []), undefined)
})

test('omitted documents at the end lack the field', () => {
  const builder = new ColumnBuilder(fieldForTest('int32'), 4, undefined, tinyAnalyzer.fold)
  builder.add(1, 7)
  const sections = reopen((writer) => builder.finish(3, writer))
  assert.deepEqual([...sections.u8('column.4.ords8')], [0, 1, 0])
})

test('ordinals have the narrowest type for their number', () => {
  const widthOf = (count: number) =>
    columnOf(
      fieldForTest('int32'),
      Array.from({ length: count }, (_, i) => i),
    )!.ordBits
  assert.deepEqual([255, 256, 65_535, 65_536].map(widthOf), [8, 16, 16, 32])
})

test('a column returns the distinct values of every document, in order', () => {
  fc.assert(
    fc.property(
      arbitraryFieldType.chain((type) => fc.tuple(fc.constant(type), arbitraryColumnValues(type))),
      ([type, values]) => {
        const column = columnOf(fieldForTest(type), values)
        values.forEach((value, docOrd) => {
          const expected = distinctElements(value).toSorted(compareScalars)
          assert.deepEqual(valuesAt(column, docOrd), expected)
        })
      },
    ),
  )
})

function compareScalars(a: Scalar, b: Scalar): number {
  if (typeof a === 'string' && typeof b === 'string') {
    return compareCodePoints(tinyAnalyzer.fold(a), tinyAnalyzer.fold(b)) || compareCodePoints(a, b)
  }
  return a < b ? -1 : a > b ? 1 : 0
}
