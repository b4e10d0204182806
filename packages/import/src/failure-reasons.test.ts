import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { FAILURES_ALIKE_MAX, FailureReasons } from './failure-reasons.ts'

const error = (id: string, ...faults: string[]): string =>
  `Cannot index document "${id}": ${faults.join('; ')}`

suite('reasons why rows fail', () => {
  test('are the same whatever the document, what was received, and the number', () => {
    const reasons = new FailureReasons()
    reasons.add(
      1,
      error('a', 'field "price" must be float, received "a; b"', 'field "x" is long'),
      'a',
    )
    reasons.add(5, error('b', 'field "price" must be float, received "7"'), 'b')
    reasons.add(6, 'the row has 5 cells')
    reasons.add(7, 'the row has 6 cells')
    reasons.add(8, 'Cannot insert document "c": it already exists', 'c')
    reasons.add(9, 'Cannot insert document "d": it already exists', 'd')
    assert.deepEqual(
      reasons.list().map(({ example, firstRow, count }) => [example, firstRow, count]),
      [
        ['field "price" must be float, received "a; b"', 1, 2],
        ['the row has 5 cells', 6, 2],
        ['Cannot insert document "c": it already exists', 8, 2],
        ['field "x" is long', 1, 1],
      ],
    )
  })

  test('stop an import when rows in a row have one in common', () => {
    const reasons = new FailureReasons()
    for (let row = 1; row <= FAILURES_ALIKE_MAX; row++) {
      assert.equal(reasons.stuck, undefined)
      const other = row % 2 === 0 ? 'field "a" is missing' : 'field "b" is missing'
      reasons.add(row, error(`d${row}`, other, 'field "price" must be float'), `d${row}`)
    }
    assert.equal(reasons.stuck?.example, 'field "price" must be float')
  })

  test('do not when a row went well in between, or they differ', () => {
    const reasons = new FailureReasons()
    for (let row = 1; row <= 2 * FAILURES_ALIKE_MAX; row++) {
      if (row % 999 !== 0) reasons.add(row, 'always the same')
    }
    for (let row = 10_000; row <= 12_000; row++) reasons.add(row, row % 2 === 0 ? 'one' : 'other')
    assert.equal(reasons.stuck, undefined)
  })
})
