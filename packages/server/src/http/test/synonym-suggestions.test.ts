import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createTestApp, fillStore, type TestRequest } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const { time } = testApp
const store = await testApp.createStore('shop')
await fillStore(testApp, store)

const BASE = '/api/v1/stores/shop/synonym-suggestions'
const call = (
  method: TestRequest['method'] & string,
  path: string,
  body?: unknown,
  headers = store.write,
) => testApp.call({ method, url: `${BASE}${path}`, headers, body })
const pairs = async (query = ''): Promise<string[]> => {
  const answer = await call('GET', query)
  assert.equal(answer.statusCode, 200, answer.body)
  const { suggestions } = answer.json() as { suggestions: { from: string; to: string }[] }
  return suggestions.map(({ from, to }) => `${from} -> ${to}`)
}

let visitors = 0
/** Somebody searches for one thing, finds `found`, and then for another, of which they click. */
async function retype(from: string, to: string, { found = 0, click = '3', times = 3 } = {}) {
  for (let i = 0; i < times; i++) {
    const session = `session ${visitors++}`
    const send = async (eventType: string, data: object): Promise<void> => {
      const answer = await testApp.call({
        method: 'POST',
        url: '/analytics/event',
        headers: { ...store.read, 'x-session-id': session },
        body: { event_type: eventType, data },
      })
      assert.equal(answer.statusCode, 200, answer.body)
      time.nowMs += 5_000
    }
    await send('search', { query: from, total_results: found })
    await send('search', { query: to, total_results: 4 })
    await send('click', { query: to, document_id: click, position: 2 })
  }
}

time.nowMs = Date.UTC(2026, 1, 10, 12)
await retype('anorak', 'jacket', { times: 4 })
await retype('cooker', 'stove', { click: '4' })
await retype('twice', 'stove', { times: 2 })
// Two brands, two words of one title, one word in two forms, something mistyped.
await retype('fells', 'norrby')
await retype('rain', 'jacket')
await retype('stoves', 'stove')
await retype('jackt', 'jacket')
// What everybody else looks for.
for (let i = 0; i < 120; i++) await retype(`first${i}`, `second${i}`, { times: 1 })

suite('synonyms out of traffic', () => {
  test('are suggested with their evidence, and nothing is applied', async () => {
    assert.deepEqual(await pairs(), ['anorak -> jacket', 'cooker -> stove'])
    assert.deepEqual(await pairs('?limit=1'), ['anorak -> jacket'])
    const { suggestions, rejected, reports_clicks } = (await call('GET', '')).json()
    assert.deepEqual(suggestions[0], {
      from: 'anorak',
      to: 'jacket',
      both_ways: false,
      visitors: 4,
      visitors_tried: 4,
      visitors_gave_up: 4,
      visitors_found_few: 4,
      clicks: 4,
      corrected_clicks: 8,
      examples: [{ from: 'anorak', to: 'jacket', visitors: 4 }],
      documents: ['3'],
    })
    assert.deepEqual([rejected, reports_clicks], [[], true])
    const sets = await testApp.call({
      url: '/api/v1/stores/shop/synonym-sets',
      headers: store.write,
    })
    assert.deepEqual(sets.json().synonym_sets, [])
  })

  test('one that is rejected stays away, in any form, until it is restored', async () => {
    const rejecting = await call('POST', '/reject', { from: 'jackets', to: 'anorak' })
    assert.deepEqual(rejecting.json(), { from: 'jackets', to: 'anorak', status: 'rejected' })
    assert.deepEqual(await pairs(), ['cooker -> stove'])
    const { rejected } = (await call('GET', '')).json()
    assert.deepEqual(rejected[0].from, 'jackets')
    await call('POST', '/restore', { from: 'anorak', to: 'jacket' })
    assert.deepEqual(await pairs(), ['anorak -> jacket', 'cooker -> stove'])
  })

  test('one that is accepted becomes an entry of a set, and searches follow it', async () => {
    const found = async (q: string): Promise<number> => {
      const body = { q, analytics: false }
      const headers = store.read
      const answer = await testApp.call({ method: 'POST', url: '/v1/search', headers, body })
      return answer.json().found as number
    }
    assert.equal(await found('anorak'), 0)
    const set = (await call('POST', '/accept', { from: 'anorak', to: 'jacket' })).json()
    const item = { synonyms: ['jacket'], root: 'anorak' }
    assert.deepEqual([set.name, set.default, set.items], ['from-traffic', true, [item]])
    assert.equal(await found('anorak'), 1)
    assert.deepEqual(await pairs(), ['cooker -> stove'])
    const both = { from: 'cooker', to: 'stove', both_ways: true, set: 'mine' }
    const mine = (await call('POST', '/accept', both)).json()
    assert.deepEqual(mine.items, [{ synonyms: ['cooker', 'stove'] }])
    assert.deepEqual((await call('POST', '/accept', both)).json().items, mine.items)
    assert.deepEqual(await pairs(), [])
  })

  test('editors decide, analysts look', async () => {
    const analyst = await testApp.logIn('analyst', 'analyst')
    const editor = await testApp.logIn('editor', 'editor')
    assert.equal((await call('GET', '', undefined, analyst)).statusCode, 200)
    const pair = { from: 'a', to: 'b' }
    for (const path of ['/accept', '/reject', '/restore']) {
      const refused = await call('POST', path, pair, analyst)
      assert.deepEqual([refused.statusCode, refused.json().code], [403, 'forbidden'])
      assert.equal((await call('POST', path, pair, editor)).statusCode, 200)
    }
  })

  const bad: readonly (readonly [path: string, body: unknown, param: string])[] = [
    ['/accept', { from: 'a' }, 'to'],
    ['/accept', { from: '!!', to: 'b' }, 'from'],
    ['/accept', { from: 'shoe', to: 'shoes' }, 'to'],
    ['/accept', { from: 'a', to: 'b', set: '../x' }, 'set'],
    ['/reject', { from: 'a', to: 'x'.repeat(101) }, 'to'],
    ['/restore', { from: 'a', to: 'b', why: 1 }, 'why'],
  ]
  for (const [path, body, param] of bad) {
    test(`${path} refuses ${JSON.stringify(body).slice(0, 40)}`, async () => {
      const answer = await call('POST', path, body)
      assert.deepEqual([answer.statusCode, answer.json().param], [400, param], answer.body)
    })
  }

  test('a number of days that is none is refused', async () => {
    for (const query of ['?days=0', '?days=x', '?limit=201']) {
      assert.equal((await call('GET', query)).statusCode, 400)
    }
  })
})
