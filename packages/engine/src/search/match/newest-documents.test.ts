import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { hasBit, newBitset, setBit } from '../../codec/bitset.ts'
import { insertedOf } from '../../segment/insertion-order.ts'
import { insertionsOf } from '../../segment/segment-for-test.ts'
import { keepNewest, newestOf } from './newest-documents.ts'

suite('the documents that were inserted last', () => {
  test('are those of all in order, and further ones only of a set', () => {
    const input = fc.record({
      inserted: fc.uniqueArray(fc.nat(1_000), { minLength: 1, maxLength: 200, size: 'max' }),
      isSorted: fc.boolean(),
      everyNth: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }),
      count: fc.constantFrom(0, 1, 3, 20, 10_000),
    })
    fc.assert(
      fc.property(input, ({ inserted, isSorted, everyNth, count }) => {
        if (isSorted) inserted.sort((a, b) => a - b)
        const order = insertionsOf(
          inserted.map((_, docOrd) => 2_000 + docOrd),
          inserted,
        )
        const all = [...inserted.keys()].filter((docOrd) => docOrd % (everyNth ?? 1) === 0)
        const set = newBitset(inserted.length)
        for (const docOrd of all) setBit(set, docOrd)
        const newest = newestOf(order, everyNth === undefined ? undefined : set, count)
        const wanted = all.toSorted((a, b) => insertedOf(order, b) - insertedOf(order, a))
        const found = new Set(newest)
        assert.equal(found.size, newest.length)
        for (const docOrd of found) assert.ok(hasBit(set, docOrd))
        for (const docOrd of wanted.slice(0, count)) assert.ok(found.has(docOrd))
        keepNewest(set, order, count)
        for (const docOrd of wanted.slice(0, count)) assert.ok(hasBit(set, docOrd))
      }),
    )
  })
})
