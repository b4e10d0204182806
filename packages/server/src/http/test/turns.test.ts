import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { suite, test } from 'node:test'
import { SeededRandom, until } from '@aisle/testing'
import type { RequestWatch } from '../../ports/host/request-watch.ts'
import { createTestApp, type TestApp, type TestStore } from './test-app.ts'

/** Each look at the clock ends a turn. */
const SHORTEST_TURNS = { turnMaxMs: -1 }
const DOCUMENTS = 2_000
const WORDS = ['red', 'blue', 'shoe', 'shoes', 'boot', 'coat', 'warm', 'light', 'winter', 'summer']

/** Fills a store in several writes: its index has several segments. */
async function fill({ call }: TestApp, store: TestStore): Promise<void> {
  const random = new SeededRandom(7)
  await call({
    method: 'POST',
    url: `/api/v1/stores/${store.id}/schema`,
    headers: store.write,
    body: {
      fields: [
        { name: 'title', type: 'string', searchable: true },
        { name: 'brand', type: 'string', facet: true, searchable: true },
        { name: 'unique', type: 'string', facet: true },
        { name: 'price', type: 'float', facet: true, sort: true },
        { name: 'place', type: 'geopoint' },
      ],
    },
  })
  const documents = Array.from({ length: DOCUMENTS }, (_, i) => ({
    id: `d${i}`,
    title: Array.from({ length: 4 }, () => random.pick(WORDS)).join(' '),
    brand: `brand ${i % 17}`,
    unique: `value ${i} ${random.pick(WORDS)}`,
    price: random.below(500),
    place: [random.below(90), random.below(180)],
  }))
  for (let from = 0; from < DOCUMENTS; from += 500) {
    const bulk = await call({
      method: 'POST',
      url: `/api/v1/stores/${store.id}/documents/bulk`,
      headers: store.write,
      body: { documents: documents.slice(from, from + 500) },
    })
    assert.equal(bulk.json().summary.failed, 0)
  }
}

function anySearch(random: SeededRandom): object {
  const words = Array.from({ length: 1 + random.below(4) }, () => random.pick(WORDS)).join(' ')
  const one = <T>(...choices: readonly T[]): T => random.pick(choices)
  return {
    q: one(words, `${words} shos`, `"${random.pick(WORDS)} ${random.pick(WORDS)}"`, '*'),
    require_all_terms: false,
    cache_results: false,
    per_page: one(3, 20, 250),
    page: one(1, 2, 4),
    ...one({}, { facet_by: ['brand', 'unique', 'price'], max_values: 50 }),
    ...one({}, { facet_by: ['brand', 'unique'], facet_query: `unique:${random.pick(WORDS)}` }),
    ...one({}, { filter_by: `unique:${random.pick(WORDS)} || price:<${random.below(400)}` }),
    ...one({}, { filter_by: 'place:(10, 10, 10, 80, 60, 40)' }),
    ...one({}, { sort_by: 'price:asc' }, { sort_by: `_eval(unique:${random.pick(WORDS)}):desc` }),
    ...one({}, { group_by: 'brand', group_limit: 2 }),
    ...one({}, { min_relevance: 0.4 }),
    ...one({}, { include_suggestions: true }),
  }
}

suite('requests in turns', () => {
  test('searches of several stores interleave, and answer like one after the other', async () => {
    await using app = await createTestApp(SHORTEST_TURNS)
    const stores = [await app.createStore('one'), await app.createStore('two')]
    for (const store of stores) await fill(app, store)
    const random = new SeededRandom(11)
    const asked = Array.from({ length: 80 }, (_, i) => ({
      store: stores[i % 2]!,
      body: anySearch(random),
    }))
    const ask = async ({ store, body }: (typeof asked)[number]): Promise<object> => {
      const { json, statusCode } = await app.call({
        method: 'POST',
        url: '/v1/search',
        headers: store.read,
        body,
      })
      assert.equal(statusCode, 200, JSON.stringify(body))
      const { search_id: _, search_time_ms: __, ...answer } = json()
      return answer
    }
    const alone: object[] = []
    for (const one of asked) alone.push(await ask(one))
    // Small batches, because more would be refused.
    for (let from = 0; from < asked.length; from += 16) {
      const together = await Promise.all(asked.slice(from, from + 16).map(ask))
      assert.deepEqual(together, alone.slice(from, from + 16))
    }
  })

  test('a long search of one store does not delay a short one of another', async () => {
    await using app = await createTestApp(SHORTEST_TURNS)
    const [long, short] = [await app.createStore('long'), await app.createStore('short')]
    for (const store of [long, short]) await fill(app, store)
    const ended: string[] = []
    const ask = async (name: string, store: TestStore, body: object): Promise<void> => {
      await app.call({ method: 'POST', url: '/v1/search', headers: store.read, body })
      ended.push(name)
    }
    const facets = { facet_by: ['unique'], facet_query: 'unique:wintr', cache_results: false }
    await Promise.all([
      ask('long', long, { q: 'red blue shoe', require_all_terms: false, ...facets }),
      ask('short', short, { q: 'coat' }),
    ])
    assert.deepEqual(ended, ['short', 'long'])
  })

  test('a search ends when its connection is closed, and each turn is reported to the watch', async () => {
    let turns = 0
    const watch: RequestWatch = {
      workOn: ({ request }) => (turns += Number(request !== '')),
      quarantineSeconds: () => 0,
    }
    await using testApp = await createTestApp(SHORTEST_TURNS, { watch })
    const store = await testApp.createStore('left')
    await fill(testApp, store)
    const query = { q: 'red', facet_by: 'unique', facet_query: 'unique:wintr summr' }
    const request = {
      method: 'POST',
      url: '/v1/multi-search',
      headers: store.read,
      body: { queries: Array.from({ length: 10 }, () => ({ ...query, cache_results: false })) },
    } as const
    assert.equal((await testApp.call(request)).statusCode, 200)
    const allTurns = turns
    assert.ok(allTurns > 100, `${allTurns} turns`)
    turns = 0

    await testApp.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = testApp.app.server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    const body = JSON.stringify(request.body)
    const headers = Object.entries({
      host: 'localhost',
      'content-type': 'application/json',
      'content-length': String(body.length),
      ...store.read,
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`POST ${request.url} HTTP/1.1\r\n${headers.join('')}\r\n${body}`)
    await until('the search begins', () => turns > 0)
    socket.destroy()
    await once(socket, 'close')
    await until('it ends', async () => {
      const before = turns
      await testApp.call({ url: '/livez' })
      return turns === before
    })
    assert.ok(turns < allTurns / 2, `${turns} of ${allTurns} turns`)
  })

  test('a long list of short texts is marked in turns', async () => {
    let turns = 0
    const watch: RequestWatch = {
      workOn: ({ request }) => (turns += Number(request !== '')),
      quarantineSeconds: () => 0,
    }
    await using app = await createTestApp(SHORTEST_TURNS, { watch })
    const { read, write, id } = await app.createStore('lists')
    const base = `/api/v1/stores/${id}`
    const fields = [{ name: 'labels', type: 'string[]', searchable: true }]
    await app.call({ method: 'POST', url: `${base}/schema`, headers: write, body: { fields } })
    const labels = Array.from({ length: 6_000 }, (_, i) => `a <warm> red coat number ${i}`)
    const data = { labels: [...labels, 'nothing of it'] }
    await app.call({
      method: 'POST',
      url: `${base}/documents`,
      headers: write,
      body: { id: 'long', data },
    })
    const marked = async (highlight: boolean): Promise<[unknown, number]> => {
      turns = 0
      const body = { q: 'red', highlight, cache_results: false }
      const answer = await app.call({ method: 'POST', url: '/v1/search', headers: read, body })
      return [answer.json().hits[0].highlight, turns]
    }
    const [, plainTurns] = await marked(false)
    const [highlight, markedTurns] = await marked(true)
    const expected = labels.map((_, i) => `a &lt;warm&gt; <mark>red</mark> coat number ${i}`)
    assert.deepEqual(highlight, { labels: [...expected, 'nothing of it'] })
    assert.ok(markedTurns >= plainTurns + 8, `${markedTurns} and ${plainTurns} turns`)
  })

  // At once, 10,000 synonyms took 87 ms, and 10,000 blocked texts 83.
  test('drafts and suggestion settings are checked in turns', async () => {
    await using app = await createTestApp(SHORTEST_TURNS)
    const store = await app.createStore('one')
    let turns = 0
    let isDone = false
    const count = (): void => {
      turns++
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    const turnsOf = async (method: 'POST' | 'PUT', path: string, body: object): Promise<number> => {
      turns = 0
      const url = `/api/v1/stores/${store.id}/${path}`
      const answer = await app.call({ method, url, headers: store.write, body })
      assert.equal(answer.statusCode, 200, answer.body)
      return turns
    }
    const texts = Array.from({ length: 500 }, (_, i) => `text ${i}`)
    const items = texts.map((text) => ({ synonyms: [text, `${text} again`] }))
    const draft = {
      synonym_sets: { one: { items, default: true } },
      stopword_sets: { one: { stopwords: texts, default: true } },
    }
    const compared = await turnsOf('POST', 'relevance/compare', { draft, searches: [{ q: 'a' }] })
    const published = await turnsOf('POST', 'relevance/publish', { draft })
    const blocked = await turnsOf('PUT', 'suggestions/config', { blocklist: texts })
    isDone = true
    assert.ok(compared > 1_000 && published > 1_000, `${compared}, ${published} turns for drafts`)
    assert.ok(blocked > 500, `${blocked} turns for blocked texts`)
  })
})
