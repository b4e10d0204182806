import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { AnswerCache, Question } from './answer-cache.ts'

/** Every AnswerCache must pass this; each adapter calls it from its own test file. */
export function answerCacheConformance(
  name: string,
  create: () => Promise<{ readonly cache: AnswerCache } & AsyncDisposable>,
): void {
  const question = (key: string, more: Partial<Question> = {}): Question => ({
    storeId: 'shop',
    key,
    version: 1,
    nowMs: 1_000,
    ttlMs: 60_000,
    bytesMax: 100_000,
    ...more,
  })
  const answer = (text: string) => ({
    head: Buffer.from(`{"é":"${text}"`),
    tail: Buffer.from('}'),
    found: 7,
    corrected: `more ${text}`,
  })
  suite(`${name} conforms to AnswerCache`, () => {
    test('an answer is returned unchanged for the same question to the same store', async () => {
      await using made = await create()
      const { cache } = made
      assert.equal(cache.get(question('a')), undefined)
      const given = answer('例😀')
      cache.put(question('a'), given)
      // The cache has its own copy of the bytes.
      given.head.fill(0)
      assert.deepEqual(cache.get(question('a')), answer('例😀'))
      assert.deepEqual(cache.get(question('a')), answer('例😀'))
      assert.equal(cache.get(question('b')), undefined)
      assert.equal(cache.get(question('a', { storeId: 'other' })), undefined)
      cache.put(question('a'), answer('2'))
      assert.deepEqual(cache.get(question('a')), answer('2'))
    })

    test('a newer version of the store has no answers of an older one', async () => {
      await using made = await create()
      const { cache } = made
      cache.put(question('a'), answer('1'))
      assert.equal(cache.get(question('a', { version: 2 })), undefined)
      cache.put(question('a', { version: 2 }), answer('2'))
      assert.equal(cache.get(question('a')), undefined)
      cache.put(question('b', { version: 2 }), answer('3'))
      assert.deepEqual(cache.get(question('b', { version: 2 })), answer('3'))
    })

    test('an answer expires at its maximum age, and when the clock is set back', async () => {
      await using made = await create()
      const { cache } = made
      const later = (ms: number, ttlMs = 60_000) => question('a', { nowMs: 1_000 + ms, ttlMs })
      cache.put(question('a'), answer('1'))
      assert.ok(cache.get(later(59_999)))
      assert.equal(cache.get(later(10_000, 10_000)), undefined)
      cache.put(question('a'), answer('1'))
      assert.equal(cache.get(later(60_000)), undefined)
      cache.put(question('a'), answer('1'))
      assert.equal(cache.get(later(-1)), undefined)
    })

    test('the least recently used answers are evicted if there are too many bytes', async () => {
      await using made = await create()
      const { cache } = made
      const text = 'x'.repeat(1_000)
      for (let i = 0; i < 1_000; i++) {
        cache.put(question(`once ${i}`), answer(text))
        cache.put(question('often'), answer('kept'))
        assert.ok(cache.get(question('often')))
      }
      assert.ok(cache.get(question('once 999')))
      assert.equal(cache.get(question('once 0')), undefined)
      assert.equal(cache.get(question('once 800')), undefined)
    })

    test('an answer larger than the cache is not stored', async () => {
      await using made = await create()
      made.cache.put(question('a', { bytesMax: 100 }), answer('x'.repeat(200)))
      assert.equal(made.cache.get(question('a')), undefined)
      made.cache.put(question('b', { bytesMax: 0 }), answer(''))
      assert.equal(made.cache.get(question('b')), undefined)
    })
  })
}
