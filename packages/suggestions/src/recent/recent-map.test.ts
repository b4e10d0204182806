import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { RecentMap } from './recent-map.ts'

test('holds the newest half of its maximum, never more than the maximum, and each key once', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: 30 }), { maxLength: 200 }),
      fc.constantFrom(2, 7, 16),
      (keys, countMax) => {
        const map = new RecentMap<number, number>(countMax)
        keys.forEach((key, i) => map.set(key, i))
        const entries = [...map]
        assert.ok(entries.length <= countMax)
        assert.equal(new Set(entries.map(([key]) => key)).size, entries.length)
        const newest = [...new Set(keys.toReversed())].slice(0, Math.floor(countMax / 2))
        for (const key of newest) assert.equal(map.get(key), keys.lastIndexOf(key))
        for (const [key, value] of entries) assert.equal(map.get(key), value)
      },
    ),
  )
})
