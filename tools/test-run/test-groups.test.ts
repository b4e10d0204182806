import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { testGroups } from './test-groups.ts'
import { TestTimes } from './test-times.ts'

const TIMES: Readonly<Record<string, number>> = { a: 6, b: 30, c: 5, d: 2, e: 9, f: 20 }
const files = Object.keys(TIMES).toReversed()
const secondsOf = (file: string): number => TIMES[file]!

suite('groups of test files', () => {
  test('are neighbours that are short together; a long file is alone; the longest group is first', () => {
    const groups = [['b'], ['f'], ['e'], ['c', 'd'], ['a']]
    assert.deepEqual(testGroups(files, secondsOf, 10), groups)
  })

  test('hold every file once', () => {
    for (const most of [0, 1, 10, 100]) {
      assert.deepEqual(testGroups(files, secondsOf, most).flat().toSorted(), files.toSorted())
    }
    assert.deepEqual(testGroups([], secondsOf), [])
  })

  test('a file without a recorded time is taken to be like most', () => {
    const times = new TestTimes('machine', new Map(Object.entries(TIMES)))
    assert.equal(times.secondsOf('b'), 30)
    assert.equal(times.secondsOf('new'), 9)
  })
})
