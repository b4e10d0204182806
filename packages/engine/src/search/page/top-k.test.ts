import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { TopK } from './top-k.ts'

test('equal rows are ordered newest first', () => {
  const top = new TopK(2, 1)
  for (const docOrd of [4, 9, 1]) top.offer1(-7, docOrd, 70)
  const rows = top.sorted()
  assert.deepEqual([...rows.docOrds], [9, 4])
  assert.deepEqual([...rows.scores], [70, 70])
})

test('k = 0 and no rows keep nothing', () => {
  const top = new TopK(0, 2)
  top.offer(new Float64Array(2), 1, 1)
  assert.equal(top.sorted().count, 0)
  const top1 = new TopK(0, 1)
  top1.offer1(-Infinity, 1, 1)
  assert.equal(top1.sorted().count, 0)
})

test('the k best are the first k of all rows in order, for one key and for several', () => {
  const key = fc.oneof(fc.integer({ min: -2, max: 2 }), fc.constantFrom(Infinity, -Infinity))
  const input = fc.integer({ min: 1, max: 3 }).chain((keyCount) =>
    fc.record({
      keyCount: fc.constant(keyCount),
      rows: fc.array(fc.array(key, { minLength: keyCount, maxLength: keyCount }), {
        maxLength: 80,
        size: 'max',
      }),
      k: fc.nat(90),
      isReversed: fc.boolean(),
    }),
  )
  fc.assert(
    fc.property(input, ({ keyCount, rows, k, isReversed }) => {
      const top = new TopK(k, keyCount)
      const order = [...rows.keys()]
      for (const docOrd of isReversed ? order.toReversed() : order) {
        const keys = Float64Array.from(rows[docOrd]!)
        if (keyCount === 1) top.offer1(keys[0]!, docOrd, docOrd * 2)
        else top.offer(keys, docOrd, docOrd * 2)
      }
      const expected = order
        .sort((a, b) => {
          const i = rows[a]!.findIndex((value, at) => value !== rows[b]![at])
          return i < 0 ? b - a : rows[a]![i]! < rows[b]![i]! ? -1 : 1
        })
        .slice(0, k)
      const sorted = top.sorted()
      assert.deepEqual([...sorted.docOrds], expected)
      assert.deepEqual(
        [...sorted.scores],
        expected.map((docOrd) => docOrd * 2),
      )
      assert.deepEqual(
        [...sorted.keys],
        expected.flatMap((docOrd) => rows[docOrd]!),
      )
    }),
  )
})

test('capacity grows up to k', () => {
  const top = new TopK(5_000, 1)
  for (let docOrd = 0; docOrd < 6_000; docOrd++) top.offer1((docOrd * 7919) % 6_000, docOrd, 0)
  const { count, keys } = top.sorted()
  assert.equal(count, 5_000)
  assert.ok(keys.every((key, i) => key === i))
})
