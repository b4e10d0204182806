import assert from 'node:assert/strict'
import test from 'node:test'
import { SUGGESTION_VISITORS_MAX } from '@aisle/contract'
import { raiseVisitor, VISITOR_LENGTH, visitorsSince } from './visitor-days.ts'

test('a visitor is stored once per set of tags, with the last day', () => {
  const visitors: number[] = []
  raiseVisitor(visitors, 7, 0, 20)
  raiseVisitor(visitors, 7, 0, 18)
  raiseVisitor(visitors, 7, 1, 18)
  raiseVisitor(visitors, 8, 0, 21)
  assert.deepEqual(visitors, [7, 0, 20, 7, 1, 18, 8, 0, 21])
  assert.deepEqual(visitorsSince(visitors, 20), [7, 0, 20, 8, 0, 21])
  assert.equal(visitorsSince(visitors, 18), visitors)
})

test('beyond the maximum, the latest are kept', () => {
  const visitors: number[] = []
  for (let i = 0; i < 10 * SUGGESTION_VISITORS_MAX; i++) raiseVisitor(visitors, i, 0, i >> 3)
  const count = visitors.length / VISITOR_LENGTH
  assert.ok(count >= SUGGESTION_VISITORS_MAX && count < 2 * SUGGESTION_VISITORS_MAX)
  assert.equal(Math.max(...visitors), 10 * SUGGESTION_VISITORS_MAX - 1)
})
