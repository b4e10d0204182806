import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { WEBHOOK_PRODUCTS_MAX, WEBHOOKS_PER_SECOND_MAX } from '@aisle/contract'
import { openEmbeddedCatalog } from '../../adapters/embedded/test/embedded-catalog.ts'
import { WebhookRates } from './receive-webhook.ts'
import { dequeue, enqueue, queued } from './webhook-queue.ts'

const catalog = await openEmbeddedCatalog()
after(() => catalog[Symbol.asyncDispose]())
const ids = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `p${from + i}`)

suite('the queue of webhooks', () => {
  test('is overfull when more products have changed than are read one by one', async () => {
    const source = { id: 'shop/full' }
    assert.ok(await enqueue(catalog, source, ids(0, WEBHOOK_PRODUCTS_MAX), 'a'))
    assert.equal((await queued(catalog, source, 20)).isOverfull, false)
    assert.ok(await enqueue(catalog, source, ids(0, 5), 'b'), 'the same products have room')
    assert.equal((await queued(catalog, source, 20)).isOverfull, false)
    assert.ok(await enqueue(catalog, source, ['one more'], 'c'))
    const queue = await queued(catalog, source, 20)
    assert.deepEqual([queue.isOverfull, queue.ids.length], [true, 20])
    await dequeue(catalog, source, queue)
    const left = await queued(catalog, source, WEBHOOK_PRODUCTS_MAX)
    assert.deepEqual([left.isOverfull, left.ids.length], [false, WEBHOOK_PRODUCTS_MAX - 20])
  })

  test('keeps a product whose webhook arrives while it is read', async () => {
    const source = { id: 'shop/late' }
    await enqueue(catalog, source, ['p1', 'p2'], 'a')
    const queue = await queued(catalog, source, 20)
    await enqueue(catalog, source, ['p2'], 'b')
    await dequeue(catalog, source, queue)
    assert.deepEqual((await queued(catalog, source, 20)).ids, ['p2'])
    assert.equal(await enqueue(catalog, source, ['p3'], 'b'), false, 'repeated')
  })

  test('takes webhooks at a rate, of each source', () => {
    const rates = new WebhookRates()
    const burst = WEBHOOKS_PER_SECOND_MAX * 10
    const taken = (id: string, nowMs: number): number => {
      for (let count = 0; ; count++) {
        try {
          rates.take(id, nowMs)
        } catch (error) {
          const { code, retryAfterSeconds } = error as { code: string; retryAfterSeconds: number }
          assert.deepEqual([code, retryAfterSeconds], ['rate_limited', 1])
          return count
        }
      }
    }
    assert.equal(taken('a', 0), burst)
    assert.equal(taken('b', 0), burst)
    assert.equal(taken('a', 1_000), WEBHOOKS_PER_SECOND_MAX)
    assert.equal(taken('a', 3_600_000), burst)
    assert.equal(taken('a', 0), 0, 'a clock that goes back gives nothing')
  })
})
