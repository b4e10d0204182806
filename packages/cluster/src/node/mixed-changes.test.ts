import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { SeededRandom } from '@aisle/server/random'
import { NEEDS_CLUSTER, ServerProcess, until } from '@aisle/testing'
import { asAdmin, json, startNodes } from './test/started-nodes.ts'

const CHANGES = 600
const IDS = 120
const WORDS = ['red', 'blue', 'steel', 'gauge', 'angle', 'drill', 'drills', 'hammer', 'saw', '12']
const BRANDS = ['Larch', 'Teak House', 'Oak']
const FIELDS = [
  { name: 'title', type: 'string', searchable: true },
  { name: 'brand', type: 'string', searchable: true, facet: true },
  { name: 'price', type: 'int32', facet: true, sort: true },
]
/** What differs from answer to answer. */
const PASSING = new Set(['search_id', 'cached', 'search_time_ms'])

type Headers = Readonly<Record<string, string>>

/** A store of one machine or of a cluster, whose nodes are asked in turns. */
class Shop {
  readonly #urls: readonly string[]
  readonly #headers: Headers
  #calls = 0

  private constructor(urls: readonly string[], headers: Headers) {
    this.#urls = urls
    this.#headers = headers
  }

  static async open(urls: readonly string[], admin: Headers): Promise<Shop> {
    const { body } = await json(`${urls[0]}/api/v1/admin/stores`, 'POST', admin, {
      name: 'Shop',
      id: 'shop',
    })
    const shop = new Shop(urls, {
      'x-storeid': 'shop',
      'x-store-write-secret': String(body['write_secret']),
      'x-storesecret': String(body['read_secret']),
    })
    await shop.call('POST', '/api/v1/stores/shop/schema', { fields: FIELDS })
    // The other nodes know the store and its schema within a second.
    for (const url of urls) {
      const known = { q: '*', filter_by: 'price:>0', analytics: false }
      await until('the schema', async () => {
        const { status } = await json(`${url}/v1/search`, 'POST', shop.#headers, known)
        return status === 200
      })
    }
    return shop
  }

  async call(method: string, path: string, body?: object) {
    const url = this.#urls[this.#calls++ % this.#urls.length]!
    return json(`${url}${path}`, method, this.#headers, body)
  }

  async search(body: object): Promise<object> {
    const answer = await this.call('POST', '/v1/search', { ...body, analytics: false })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return Object.fromEntries(Object.entries(answer.body).filter(([name]) => !PASSING.has(name)))
  }

  /** Searches answered from the cache, over all nodes. */
  async fromCache(): Promise<number> {
    let count = 0
    for (const url of this.#urls) {
      const text = await (await fetch(`${url}/metrics`, { headers: asAdmin })).text()
      const lines = text.matchAll(
        /^aisle_search_requests_total\{[^}]*cached="true"[^}]*\} (\d+)$/gm,
      )
      for (const [, number] of lines) count += Number(number)
    }
    return count
  }
}

suite('600 mixed changes, each followed by searches', NEEDS_CLUSTER, () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const random = new SeededRandom(seed)
  const someWords = (most: number): string =>
    Array.from({ length: 1 + random.below(most) }, () => random.pick(WORDS)).join(' ')
  const documents = '/api/v1/stores/shop/documents'
  const document = () => ({
    id: `p${random.below(IDS)}`,
    data: { title: someWords(4), brand: random.pick(BRANDS), price: 1 + random.below(90) },
  })
  const change = (): readonly [method: string, path: string, body?: object] => {
    const kind = random.next()
    const { id, data } = document()
    if (kind < 0.4) return ['POST', documents, { id, action: 'upsert', data }]
    if (kind < 0.5) return ['POST', documents, { id, action: 'insert', data }]
    if (kind < 0.65) {
      return ['POST', documents, { id, action: 'update', data: { price: 1 + random.below(90) } }]
    }
    if (kind < 0.85) return ['DELETE', `${documents}/${id}`]
    const many = Array.from({ length: 1 + random.below(8) }, document)
    if (kind < 0.97) return ['POST', `${documents}/bulk`, { documents: many }]
    return ['DELETE', `${documents}?filter_by=price:<${random.below(20)}`]
  }
  const query = (): object => ({
    q: random.next() < 0.2 ? '*' : someWords(3),
    facet_by: 'brand,price',
    ...(random.next() < 0.3 ? { filter_by: `price:>${random.below(60)}` } : {}),
    ...(random.next() < 0.3 ? { sort_by: random.pick(['price:asc', 'price:desc']) } : {}),
  })

  test('find the same on a cluster as on one machine, also what is kept in memory', async () => {
    await using nodes = await startNodes(2)
    const one = await ServerProcess.start({ threads: 1 })
    try {
      const shops = await Promise.all([
        Shop.open([one.url], { authorization: `Bearer ${one.adminToken}` }),
        Shop.open(nodes.urls, asAdmin),
      ])
      const changeBoth = async (): Promise<readonly number[]> => {
        const [method, path, body] = change()
        const answers = await Promise.all(shops.map((shop) => shop.call(method, path, body)))
        return answers.map(({ status }) => status)
      }
      const compare = async (body: object, after: string): Promise<void> => {
        const [expected, found] = await Promise.all(shops.map((shop) => shop.search(body)))
        assert.deepEqual(found, expected, `seed ${seed}, ${after}: ${JSON.stringify(body)}`)
      }
      for (let at = 0; at < CHANGES; at++) {
        const [expected, status] = await changeBoth()
        assert.equal(status, expected, `seed ${seed}, change ${at}`)
        await compare(query(), `after change ${at}`)
      }

      // Searches that recur are answered from memory while nothing changes, and only then.
      const [, cluster] = shops
      const recurring = Array.from({ length: 6 }, query)
      for (let at = 0; at < 3; at++) {
        const before = await cluster.fromCache()
        await until('answers from memory', async () => {
          for (const body of recurring) await compare(body, 'while nothing changes')
          return (await cluster.fromCache()) > before + recurring.length
        })
        await changeBoth()
        for (const body of recurring) await compare(body, 'after another change')
      }
    } finally {
      await one.stop()
    }
  })
})
