import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lonePoints } from './lone-points.ts'

test('a value between gaps is a point, one with a neighbour is part of a line', () => {
  assert.deepEqual(lonePoints([5]), [0])
  assert.deepEqual(lonePoints([null, 0, null, 2, 3, null, 4]), [1, 6])
  assert.deepEqual(lonePoints([1, 2]), [])
  assert.deepEqual(lonePoints([]), [])
})
