import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { answerCacheConformance } from '../../ports/search/answer-cache.conformance.ts'
import type { Question } from '../../ports/search/answer-cache.ts'
import { createAnswerChannel, SharedAnswerCache } from './answer-cache.ts'

answerCacheConformance('shared memory', async () => {
  const cache = new SharedAnswerCache(createAnswerChannel(), 10_000_000, () => undefined)
  return { cache, [Symbol.asyncDispose]: async () => cache.close() }
})

const question = (key: string, more: Partial<Question> = {}): Question => ({
  storeId: 'shop',
  key,
  version: 1,
  nowMs: 0,
  ttlMs: 1_000,
  bytesMax: 1_000_000,
  ...more,
})
const answer = (text: string) => ({
  head: Buffer.from(text),
  tail: Buffer.alloc(0),
  found: 1,
  corrected: undefined,
})

/** Two threads of one service, as far as the cache can tell. */
function pair(bytesMax = 1_000_000) {
  const channel = createAnswerChannel()
  const passed: number[] = []
  const [a, b] = [0, 1].map(
    () => new SharedAnswerCache(channel, bytesMax, (bytes) => void passed.push(bytes)),
  )
  return {
    a: a!,
    b: b!,
    passed,
    [Symbol.dispose]: () => {
      a!.close()
      b!.close()
    },
  }
}

suite('answers of several threads', () => {
  test('an answer is on every thread as soon as it was put, in memory once', () => {
    using threads = pair()
    threads.a.put(question('q'), answer('x'))
    assert.deepEqual(threads.b.get(question('q')), answer('x'))
    assert.equal(threads.passed.length, 2)
  })

  test('what one thread uses another keeps', () => {
    using threads = pair()
    const room = { bytesMax: 20_000 }
    threads.a.put(question('often', room), answer('x'))
    for (let i = 0; i < 100; i++) {
      threads.a.put(question(String(i), room), answer('y'.repeat(1_000)))
      threads.b.get(question('often'))
    }
    assert.ok(threads.a.get(question('often')))
  })

  test('an answer for a state that is gone is not kept', () => {
    using threads = pair()
    threads.a.put(question('q', { version: 2 }), answer('new'))
    threads.b.put(question('q', { version: 1 }), answer('old'))
    assert.deepEqual(threads.a.get(question('q', { version: 2 })), answer('new'))
    assert.deepEqual(threads.b.get(question('q', { version: 2 })), answer('new'))
  })

  test('a store that floods the cache takes the room of no other', () => {
    using threads = pair(50_000)
    threads.a.put(question('mine', { storeId: 'small' }), answer('x'))
    for (let i = 0; i < 200; i++) threads.a.put(question(String(i)), answer('y'.repeat(1_000)))
    assert.ok(threads.a.get(question('mine', { storeId: 'small' })))
    assert.ok(threads.a.figures().bytes <= 50_000)
    assert.ok(threads.a.figures().entries > 20)
  })

  test('a sweep lets go of what is too old', () => {
    using threads = pair()
    threads.a.put(question('q'), answer('x'))
    threads.b.sweep(999)
    assert.equal(threads.b.figures().entries, 1)
    threads.b.sweep(1_000)
    assert.deepEqual(threads.b.figures(), { bytes: 0, entries: 0 })
  })
})
