import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { selectFirst } from './select-first.ts'

test('the first of an order are those of the whole list in order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20), { maxLength: 60 }), fc.nat(70), (values, limit) => {
      const compare = (a: number, b: number) => values[a]! - values[b]! || a - b
      const expected = [...values.keys()].sort(compare).slice(0, limit)
      assert.deepEqual(selectFirst(values.length, limit, compare), expected)
    }),
  )
})
