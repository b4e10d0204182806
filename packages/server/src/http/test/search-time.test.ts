import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ANSWER_MAX_CHARS, MARKS_MAX_CHARS } from '@aisle/contract'
import { TEST_CLUSTER } from '@aisle/testing'
import { createTestApp, fillStore, type TestApp, type TestStore } from './test-app.ts'

/** Each document has this text, which has only a few different words. */
async function fillWithLongTexts(
  { call }: TestApp,
  { id, write }: TestStore,
  count: number,
  length: number,
): Promise<void> {
  const fields = [
    { name: 'text', type: 'string', searchable: true },
    { name: 'n', type: 'int32', sort: true },
  ]
  await call({
    method: 'POST',
    url: `/api/v1/stores/${id}/schema`,
    headers: write,
    body: { fields },
  })
  const text = 'red tent of the north '.repeat(length / 22)
  for (let n = 0; n < count; n++) {
    const document = await call({
      method: 'POST',
      url: `/api/v1/stores/${id}/documents`,
      headers: write,
      body: { id: String(n), data: { text, n } },
    })
    assert.equal(document.statusCode, 201, document.body)
  }
}

suite('one request and the thread that all share', () => {
  test('more time than the service allows is cut, with a warning', async () => {
    await using testApp = await createTestApp({ searchTimeoutMaxMs: 5_000 })
    const store = await testApp.createStore('a')
    await fillStore(testApp, store)
    const search = async (search_timeout_ms: number) =>
      testApp.call({
        method: 'POST',
        url: '/v1/search',
        headers: store.read,
        body: { q: 'shoe', search_timeout_ms },
      })
    const cut = await search(60_000)
    assert.deepEqual(
      [cut.statusCode, cut.json().found, cut.json().warnings],
      [200, 2, ['search_timeout_ms is reduced to 5000, the maximum of this service']],
    )
    assert.equal((await search(5_000)).json().warnings, undefined)
    assert.equal((await search(0)).statusCode, 400)
  })

  test('marks beyond their limit are left out, with a warning; the hits are all there', async () => {
    await using testApp = await createTestApp({ searchTimeoutMaxMs: 10_000 })
    const store = await testApp.createStore('a')
    await fillWithLongTexts(testApp, store, 4, 900_000)
    const answer = await testApp.call({
      method: 'POST',
      url: '/v1/search',
      headers: store.read,
      body: { q: 'red tent', return_fields: ['n'], search_timeout_ms: 10_000 },
    })
    const { hits, warnings } = answer.json()
    assert.equal(hits.length, 4)
    assert.ok(answer.body.length < MARKS_MAX_CHARS + 100_000, `${answer.body.length}`)
    assert.deepEqual(warnings, [
      `Only the first ${MARKS_MAX_CHARS} characters of highlights and snippets are in the answer`,
    ])
  })

  // 100 ms for each text of a megabyte, in one turn.
  test('long texts are marked in turns', async () => {
    const answers: string[] = []
    for (const turnMaxMs of [-1, 60_000]) {
      await using testApp = await createTestApp({ searchTimeoutMaxMs: 60_000, turnMaxMs })
      const store = await testApp.createStore('a')
      await fillWithLongTexts(testApp, store, 2, 440_000)
      let turns = 0
      let isDone = false
      const count = (): void => {
        turns++
        if (!isDone) setImmediate(count)
      }
      setImmediate(count)
      const answer = await testApp.call({
        method: 'POST',
        url: '/v1/search',
        headers: store.read,
        body: { q: 'red tent', include_snippets: true, search_timeout_ms: 60_000 },
      })
      isDone = true
      answers.push(JSON.stringify(answer.json().hits))
      // Parts of 16,384 characters, of two texts, for marks and for snippets.
      if (turnMaxMs < 0) assert.ok(turns > (4 * 440_000) / 16_384, `${turns} turns`)
    }
    assert.equal(answers[0], answers[1])
    assert.match(answers[0]!, /<mark>red<\/mark> <mark>tent<\/mark>/)
  })

  test('an answer beyond its limit is refused, alone or in a multi-search', async () => {
    await using testApp = await createTestApp({ searchTimeoutMaxMs: 60_000 })
    const store = await testApp.createStore('a')
    await fillWithLongTexts(testApp, store, 4, 900_000)
    const parts = Math.floor(ANSWER_MAX_CHARS / 3_600_000)
    const query = { q: 'red', highlight: false, search_timeout_ms: 60_000 }
    const answer = await testApp.call({
      method: 'POST',
      url: '/v1/multi-search',
      headers: store.read,
      body: { queries: Array.from({ length: parts + 1 }, () => query) },
    })
    const codes = answer.json().results.map(({ code }: { code?: string }) => code)
    assert.deepEqual(codes, [...Array.from({ length: parts }, () => undefined), 'answer_too_large'])
  })

  test('a multi-search costs as many requests as it has searches', async () => {
    await using testApp = await createTestApp({ rateLimitPerSecond: 8 })
    const store = await testApp.createStore('a')
    const ask = async (count: number) => {
      const answer = await testApp.call({
        method: 'POST',
        url: '/v1/multi-search',
        headers: store.read,
        body: { queries: Array.from({ length: count }, () => ({ q: '*' })) },
      })
      return answer.statusCode
    }
    // 16 at once.
    assert.deepEqual(
      [await ask(10), await ask(10), await ask(4), await ask(2)],
      [200, 429, 200, 429],
    )
  })

  // On a cluster, one search already waits for thousands of turns.
  const here = TEST_CLUSTER.length === 0 ? {} : { skip: 'NOT RUN: its searches wait for a cluster' }
  test('the event loop turns between the searches of a multi-search', here, async () => {
    await using testApp = await createTestApp()
    const store = await testApp.createStore('a')
    await fillStore(testApp, store)
    let turns = 0
    let isDone = false
    const count = (): void => {
      turns++
      if (!isDone) setImmediate(count)
    }
    const turnsOf = async (queryCount: number): Promise<number> => {
      turns = 0
      const queries = Array.from({ length: queryCount }, () => ({ q: 'shoe' }))
      await testApp.call({
        method: 'POST',
        url: '/v1/multi-search',
        headers: store.read,
        body: { queries },
      })
      return turns
    }
    setImmediate(count)
    const one = await turnsOf(1)
    const ten = await turnsOf(10)
    isDone = true
    assert.ok(ten >= 10, `${one} turns for one search, ${ten} for ten`)
  })
})
