import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TokenBuckets } from './rate-limit.ts'

test('a bucket gives its burst at once, then refills at its rate', () => {
  const buckets = new TokenBuckets(10)
  for (let left = 19; left >= 0; left--) assert.equal(buckets.take('a', 0), left)
  assert.equal(buckets.take('a', 0), -1)
  assert.equal(buckets.take('a', 99), -1)
  assert.equal(buckets.take('a', 100), 0)
  assert.equal(buckets.take('a', 60_000), 19, 'never more than the burst')
})

test('one key never pays for another', () => {
  const buckets = new TokenBuckets(1)
  while (buckets.take('a', 0) >= 0);
  assert.equal(buckets.take('b', 0), 1)
})

test('a clock that is set back takes nothing away', () => {
  const buckets = new TokenBuckets(10)
  assert.equal(buckets.take('a', 1_000), 19)
  assert.equal(buckets.take('a', 0), 18)
})

test('the number of buckets is bounded', () => {
  const buckets = new TokenBuckets(1)
  for (let i = 0; i < 30_000; i++) buckets.take(String(i), 0)
  assert.equal(buckets.size, 20_000)
})
