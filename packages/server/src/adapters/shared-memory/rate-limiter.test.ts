import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { rateLimiterConformance } from '../../ports/host/rate-limiter.conformance.ts'
import { createRateLimitMemory, SharedRateLimiter } from './rate-limiter.ts'

rateLimiterConformance(
  'shared memory',
  (perSecond, clock) =>
    new SharedRateLimiter(createRateLimitMemory(7), perSecond, () => clock.nowMs * 1_000),
)

test('threads together get the burst, not each of them', async () => {
  const memory = createRateLimitMemory(1)
  const entry = new URL('./test/taking-thread.ts', import.meta.url)
  const workers = [1, 2, 3].map(
    () => new Worker(entry, { workerData: { memory, perSecond: 4_000, tries: 8_000 } }),
  )
  const taken = await Promise.all(
    workers.map((one) => new Promise<number>((resolve) => one.once('message', resolve))),
  )
  assert.equal(
    taken.reduce((sum, count) => sum + count, 0),
    8_000,
  )
})

test('memory stays what it is, however many clients there are', () => {
  const memory = createRateLimitMemory(1)
  const limiter = new SharedRateLimiter(memory, 1, () => 1_000_000)
  for (let i = 0; i < 100_000; i++) assert.notEqual(limiter.take(String(i)), -1)
  assert.equal(memory.tags.byteLength + memory.fullAt.byteLength, 393_216)
})
