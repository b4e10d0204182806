import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { NEEDS_CLUSTER, ServerProcess, until } from '@aisle/testing'
import { asAdmin, json, startNodes } from './test/started-nodes.ts'

const FIELDS = [
  { name: 'title', type: 'string', searchable: true },
  { name: 'brand', type: 'string', searchable: true, facet: true },
  { name: 'price', type: 'float', sort: true },
]
const DOCUMENTS = ['tent', 'lamp', 'table', 'teapot'].flatMap((noun) =>
  ['Red', 'Green', 'Blue'].map((colour, at) => ({
    id: `${noun}-${at}`,
    data: { title: `${colour} ${noun}`, brand: at === 0 ? 'Teak House' : 'Larch', price: 10 },
  })),
)
/** Requests whose answers follow from the events. */
const SUGGESTED: readonly object[] = [
  { q: 'te' },
  { q: 'la' },
  { q: '' },
  { q: 'tnet' },
  { q: 'te', include_categories: true, include_dropdown_recommendations: true },
  { q: '', filtered_tabs: [{ label: 'Larch', filters: { brand: 'Larch' } }] },
]
const SEARCHED: readonly object[] = [
  // A search that is recorded would count in what it looks at.
  { q: 'tent', explain: true, analytics: false },
  { q: '*', sort_by: '_popularity:desc', analytics: false },
  { q: 'table', sort_by: '_popularity:asc', analytics: false },
]
const RECOMMENDED: readonly object[] = [
  { kind: 'related', ids: ['tent-1'] },
  { kind: 'trending' },
  { kind: 'for_you' },
]
/** A visitor who has searched before. */
const PERSONAL = { 'x-user-id': 'ada' }

/** A store on one machine or on a cluster: requests go to its nodes in turns. */
class Shop {
  readonly #urls: readonly string[]
  readonly #headers: Readonly<Record<string, string>>
  #calls = 0

  private constructor(urls: readonly string[], headers: Readonly<Record<string, string>>) {
    this.#urls = urls
    this.#headers = headers
  }

  static async open(urls: readonly string[], admin: Readonly<Record<string, string>>) {
    const created = await json(`${urls[0]}/api/v1/admin/stores`, 'POST', admin, {
      name: 'Shop',
      id: 'shop',
    })
    assert.equal(created.status, 201)
    const shop = new Shop(urls, {
      'x-storeid': 'shop',
      'x-store-write-secret': String(created.body['write_secret']),
      'x-storesecret': String(created.body['read_secret']),
    })
    const path = '/api/v1/stores/shop'
    await shop.call('POST', `${path}/schema`, { fields: FIELDS })
    const ranking = { popularity_weight: 0.5, learning: 'on', learning_limit: 1 }
    await shop.call('PATCH', `${path}/settings`, { ranking })
    // By one node: of what two write at the same moment either may be the newest.
    const writer = new Shop(urls.slice(0, 1), shop.#headers)
    for (const document of DOCUMENTS) await writer.call('POST', `${path}/documents`, document)
    return shop
  }

  /** Asks again what another node does not know yet. */
  call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    const url = this.#urls[this.#calls++ % this.#urls.length]!
    return until(`${method} ${path}`, async () => {
      const all = { ...this.#headers, ...headers }
      const answer = await json(url + path, method, all, body)
      return answer.status < 300 ? answer.body : undefined
    })
  }

  event(event_type: string, message_id: string, data: object, visitor: Record<string, string>) {
    const body = { event_type, message_id, timestamp: NOW, data }
    return this.call('POST', '/analytics/event', body, visitor)
  }

  /** Everything that follows from its events, as each node has it. */
  async derived(): Promise<string[]> {
    const shops = this.#urls.map((url) => new Shop([url], this.#headers))
    return Promise.all(shops.map((shop) => shop.#derived()))
  }

  async #derived(): Promise<string> {
    const answers: unknown[] = []
    for (const body of SUGGESTED) {
      for (const visitor of [{}, PERSONAL]) {
        answers.push(await this.call('POST', '/v1/suggestions/queries', body, visitor))
      }
    }
    for (const body of RECOMMENDED) {
      answers.push(await this.call('POST', '/v1/recommendations', body, PERSONAL))
    }
    for (const body of SEARCHED) answers.push(await this.call('POST', '/v1/search', body))
    return JSON.stringify(answers, (name, value: unknown) => (PASSING.has(name) ? 0 : value), 1)
  }
}

/** What is another in each answer. */
const PASSING = new Set(['search_id', 'cached', 'search_time_ms', 'processing_time_ms'])
/** Typing is over after some seconds. */
const NOW = new Date(Date.now() - 60_000).toISOString()

async function search(shop: Shop): Promise<void> {
  const searches = { tent: 5, 'blue lamp': 4, table: 2, teapot: 1, 'red tent': 3 }
  for (const [query, sessions] of Object.entries(searches)) {
    for (let at = 0; at < sessions; at++) {
      const visitor = at === 0 ? PERSONAL : { 'x-anon-id': `${query}${at}` }
      const id = `search ${query} ${at}`
      await shop.event('search', id, { query, total_results: 3 }, visitor)
    }
  }
}

async function click(shop: Shop): Promise<void> {
  const clicks = { 'tent-0': [6, 1], 'tent-1': [12, 9], 'table-1': [5, 1], 'lamp-2': [2, 1] }
  for (const [document, [networks, position]] of Object.entries(clicks)) {
    for (let at = 0; at < networks!; at++) {
      const visitor = { 'x-anon-id': `${document}${at}`, 'x-forwarded-for': `10.${at}.0.1` }
      const data = { query: document.split('-')[0], document_id: document, position }
      await shop.event('click', `click ${document} ${at}`, data, visitor)
    }
  }
}

suite('Suggestions and popularity of a cluster', NEEDS_CLUSTER, () => {
  test('are those of one machine with the same events, on every node', async () => {
    const trusting = ['--trust-proxy', '127.0.0.1']
    await using nodes = await startNodes(2, ...trusting)
    const one = await ServerProcess.start({
      threads: 1,
      environment: { AISLE_TRUST_PROXY: '127.0.0.1' },
    })
    try {
      const admin = { authorization: `Bearer ${one.adminToken}` }
      const [embedded, cluster] = await Promise.all([
        Shop.open([one.url], admin),
        Shop.open(nodes.urls, asAdmin),
      ])
      /** Both follow their events within seconds. */
      const agreed = (text: RegExp) =>
        until(
          'the same answers everywhere',
          async () => {
            const [expected] = await embedded.derived()
            const derived = await cluster.derived()
            const differs = derived.find((answers) => answers !== expected)
            last = [expected!, differs ?? '']
            return differs === undefined && text.test(expected!) ? expected : undefined
          },
          { timeoutMs: 90_000, pauseMs: 500 },
        ).catch((error: unknown) => {
          const [expected, differs] = last.map((text) => text.split('\n'))
          const at = expected!.findIndex((line, i) => line !== differs![i])
          const shown = [expected, differs].map((lines) =>
            lines!.slice(Math.max(0, at - 8), at + 4),
          )
          assert.deepEqual(shown[1], shown[0])
          throw error
        })
      let last = ['', '']
      await Promise.all([search(embedded), search(cluster)])
      // Clicks are weighed by searches, so these must be over.
      await agreed(/"query": "blue lamp",\s*"popularity": 4/)
      await Promise.all([click(embedded), click(cluster)])
      const all = await agreed(/"query": "blue lamp",\s*"popularity": 4[^]*"appeal": 0\.[1-9]/)
      assert.match(all, /"query": "teapot"/)
      assert.match(all, /"learning": \{\s*"factor": 1\.[1-9]/)

      const path = '/api/v1/stores/shop/documents'
      const again = {
        id: 'tent-1',
        action: 'update',
        data: { title: 'Green tent', brand: 'Larch', price: 9 },
      }
      for (const shop of [embedded, cluster]) {
        await shop.call('POST', path, again)
        await shop.call('DELETE', `${path}/tent-0`)
      }
      await agreed(/"price": 9/)

      const visitor = '/api/v1/stores/shop/analytics/visitors?user_id=ada'
      for (const shop of [embedded, cluster]) await shop.call('DELETE', visitor)
      const left = await agreed(/"query": "blue lamp",\s*"popularity": 3/)
      assert.doesNotMatch(left, /"query": "teapot"/)
    } finally {
      await one.stop()
    }
  })
})
