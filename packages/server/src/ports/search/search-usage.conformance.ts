import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { SearchUsage } from './search-usage.ts'

/**
 * Every SearchUsage must pass this, with a store `shop`; each adapter calls it from its own test
 * file.
 */
export function searchUsageConformance(
  name: string,
  create: () => Promise<{ readonly usage: SearchUsage } & AsyncDisposable>,
): void {
  const november = Date.UTC(2026, 10, 30, 23, 59, 59, 999)
  const december = Date.UTC(2026, 11, 1)

  suite(`${name} conforms to SearchUsage`, () => {
    test('searches are counted up to the limit; rejected ones are not counted', async () => {
      await using made = await create()
      const { usage } = made
      assert.equal(usage.used('shop', november), 0)
      for (let i = 0; i < 3; i++) assert.equal(usage.take('shop', november, 3), true)
      assert.equal(usage.take('shop', november, 3), false)
      assert.equal(usage.take('shop', november, 3), false)
      assert.equal(usage.used('shop', november), 3)
      assert.equal(usage.take('shop', november, undefined), true)
      assert.equal(usage.take('shop', november, 0), false)
      assert.equal(usage.used('shop', november), 4)
    })

    test('a month begins with zero', async () => {
      await using made = await create()
      const { usage } = made
      for (let i = 0; i < 3; i++) usage.take('shop', november, undefined)
      assert.equal(usage.used('shop', december), 0)
      assert.equal(usage.take('shop', december, 1), true)
      assert.equal(usage.take('shop', december, 1), false)
      assert.equal(usage.used('shop', december), 1)
    })
  })
}
