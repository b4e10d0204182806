import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { RateLimiter } from './rate-limiter.ts'

/** Every RateLimiter must pass this; each adapter calls it from its own test file. */
export function rateLimiterConformance(
  name: string,
  create: (perSecond: number, clock: { nowMs: number }) => RateLimiter,
): void {
  suite(`${name} conforms to RateLimiter`, () => {
    test('a bucket allows its burst immediately, then refills at its rate', () => {
      const clock = { nowMs: 1_000 }
      const limiter = create(10, clock)
      assert.deepEqual([limiter.burst, limiter.windowSeconds], [20, 2])
      for (let left = 19; left >= 0; left--) assert.equal(limiter.take('a'), left)
      assert.equal(limiter.take('a'), -1)
      clock.nowMs += 99
      assert.equal(limiter.take('a'), -1)
      clock.nowMs += 1
      assert.equal(limiter.take('a'), 0)
      assert.equal(limiter.take('a'), -1)
      clock.nowMs += 60_000
      assert.equal(limiter.take('a'), 19, 'never more than the burst')
    })

    test('a request of several tokens takes all of them, or none', () => {
      const limiter = create(5, { nowMs: 5 })
      assert.equal(limiter.take('a', 7), 3)
      assert.equal(limiter.take('a', 4), -1)
      assert.equal(limiter.take('a', 3), 0)
    })

    test('taking none returns what is left', () => {
      const limiter = create(1, { nowMs: 5 })
      for (const left of [2, 1, 0]) {
        assert.equal(limiter.take('a', 0), left)
        limiter.take('a')
      }
    })

    test('one key never uses the tokens of another', () => {
      const limiter = create(1, { nowMs: 5 })
      while (limiter.take('a') >= 0);
      assert.equal(limiter.take('b'), 1)
    })

    test('the most active keys are remembered longest', () => {
      const limiter = create(10, { nowMs: 5 })
      while (limiter.take('greedy') >= 0);
      for (let i = 0; i < 5_000; i++) limiter.take(`once ${i}`)
      assert.equal(limiter.take('greedy'), -1)
    })
  })
}
