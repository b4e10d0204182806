import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { askBeside } from './asked.ts'
import { FactCache } from './fact-cache.ts'
import { Facts } from './facts.ts'
import { listing } from './listing-cluster-for-test.ts'
import { TOTAL_KEY, type Question } from './question.ts'
import type { SearchPlace } from './search-place.ts'

const PLACE = { scope: '1a', index: 'pool', routing: 'shop', slots: [], language: 'en' }

suite('An answer remembered from an earlier search', () => {
  const listed = listing(['red'])
  let nowMs = 0
  const cache = new FactCache(1_000_000, () => nowMs)
  const question: Question<string> = {
    key: 'costly',
    cost: 2,
    none: '',
    keptMs: () => 0,
    body: () => ({ aggs: { forms: {} } }),
    read: ({ aggregations }) => JSON.stringify(aggregations),
  }
  /** Searches with the answer, or for it. */
  const search = async (routing?: string, answer = 'answer') => {
    listed.requests.length = 0
    const place = { ...PLACE, routing } as unknown as SearchPlace
    const facts = new Facts(listed.connection, place, cache.of('1a'), undefined)
    const { result, asOf } = await facts.confirm(
      () => facts.recall(question),
      (known) => [{ query: { terms: { words: [known ?? ''] } } }],
      (searches, beside) => askBeside(listed.connection, place, searches, beside, undefined),
    )
    if (result === undefined && asOf !== undefined) facts.remember(question, answer, asOf)
    return { known: result, asked: listed.requests.splice(0) }
  }

  test('is asked for until the documents have not changed for five seconds', async () => {
    cache.of('1a').set('other', 1, 0)
    assert.deepEqual(await search(), { known: undefined, asked: [['state'], ['search']] })
    assert.deepEqual(await search(), { known: undefined, asked: [['search']] })
    nowMs += 5_000
    const asked = [['search', 'state']]
    assert.deepEqual(await search(), { known: undefined, asked })
    assert.deepEqual(await search(), { known: 'answer', asked })
    nowMs += 60_000
    assert.deepEqual(await search(), { known: 'answer', asked })
  })

  test('is not used after a change', async () => {
    listed.change()
    const { known, asked } = await search()
    assert.equal(known, undefined)
    assert.deepEqual(asked, [['search', 'state'], ['search']])
    nowMs += 6_000
    assert.equal((await search()).known, undefined)
    assert.equal((await search()).known, 'answer')
  })

  test('is not remembered if the documents changed meanwhile, even if they change back', async () => {
    const { state } = listed
    cache.of('1a').set('costly', '', 0)
    listed.change()
    assert.equal((await search(undefined, 'wrong')).known, undefined)
    listed.state = state
    nowMs += 6_000
    for (let at = 0; at < 3; at++) {
      assert.notEqual((await search()).known, 'wrong')
      nowMs += 6_000
    }
  })

  test('in a shard with other stores, it is if documents are few', async () => {
    for (const [count, known] of [
      [100_000, 'answer'],
      [100_001, undefined],
    ] as const) {
      cache.of('1a').set(TOTAL_KEY, count, 0)
      nowMs += 6_000
      for (let at = 0; at < 3; at++) await search('shop')
      assert.equal((await search('shop')).known, known)
    }
  })

  test('there, documents are counted once', async () => {
    const kept = new FactCache(1_000_000, () => nowMs).of('1a')
    const place = PLACE as unknown as SearchPlace
    listed.requests.length = 0
    for (let at = 0; at < 3; at++) {
      kept.set('other', 1, 0)
      const facts = new Facts(listed.connection, place, kept, undefined)
      await facts.confirm(
        () => facts.recall(question),
        () => [{ query: {} }],
        (searches, beside) => askBeside(listed.connection, place, searches, beside, undefined),
      )
      nowMs += 6_000
    }
    assert.equal(kept.get(TOTAL_KEY)?.value, 2)
    const asked = [['state'], ['search'], ['search', 'state'], ['search', 'state']]
    assert.deepEqual(listed.requests, asked)
  })
})
