import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { SeededRandom } from '@aisle/server/random'
import { NEEDS_CLUSTER, ServerProcess, until } from '@aisle/testing'
import { asAdmin, json, startNodes } from './test/started-nodes.ts'

const CHANGES = 600
/** Stores that share them, at the same time. */
const STORES = 3
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

  static async open(urls: readonly string[], admin: Headers, id: string): Promise<Shop> {
    const store = { name: 'Shop', id }
    const { body } = await json(`${urls[0]}/api/v1/admin/stores`, 'POST', admin, store)
    const shop = new Shop(urls, {
      'x-storeid': id,
      'x-store-write-secret': String(body['write_secret']),
      'x-storesecret': String(body['read_secret']),
    })
    await shop.call('POST', '/schema', { fields: FIELDS })
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

  /** @param path of its store */
  async call(method: string, path: string, body?: object) {
    const store = this.#headers['x-storeid']!
    return json(`${this.#url()}/api/v1/stores/${store}${path}`, method, this.#headers, body)
  }

  #url(): string {
    return this.#urls[this.#calls++ % this.#urls.length]!
  }

  async search(asked: object): Promise<object> {
    const body = { ...asked, analytics: false }
    const answer = await json(`${this.#url()}/v1/search`, 'POST', this.#headers, body)
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

/** Random changes and searches of one store. */
class Story {
  readonly seed: number
  readonly #random: SeededRandom

  constructor(seed: number) {
    this.seed = seed
    this.#random = new SeededRandom(seed)
  }

  change(): readonly [method: string, path: string, body?: object] {
    const random = this.#random
    const kind = random.next()
    const { id, data } = this.#document()
    if (kind < 0.4) return ['POST', '/documents', { id, action: 'upsert', data }]
    if (kind < 0.5) return ['POST', '/documents', { id, action: 'insert', data }]
    if (kind < 0.65) {
      return ['POST', '/documents', { id, action: 'update', data: { price: 1 + random.below(90) } }]
    }
    if (kind < 0.85) return ['DELETE', `/documents/${id}`]
    const documents = Array.from({ length: 1 + random.below(8) }, () => this.#document())
    if (kind < 0.97) return ['POST', '/documents/bulk', { documents }]
    return ['DELETE', `/documents?filter_by=price:<${random.below(20)}`]
  }

  search(): object {
    const random = this.#random
    return {
      q: random.chance(0.2) ? '*' : this.#words(3),
      facet_by: 'brand,price',
      ...(random.chance(0.3) ? { filter_by: `price:>${random.below(60)}` } : {}),
      ...(random.chance(0.3) ? { sort_by: random.pick(['price:asc', 'price:desc']) } : {}),
    }
  }

  #document() {
    const random = this.#random
    return {
      id: `p${random.below(IDS)}`,
      data: { title: this.#words(4), brand: random.pick(BRANDS), price: 1 + random.below(90) },
    }
  }

  #words(most: number): string {
    const words = Array.from({ length: 1 + this.#random.below(most) }, () =>
      this.#random.pick(WORDS),
    )
    return words.join(' ')
  }
}

/** The same store on one machine and on a cluster. */
class Both {
  readonly #shops: readonly [Shop, Shop]
  readonly #story: Story
  #changes = 0

  constructor(shops: readonly [Shop, Shop], story: Story) {
    this.#shops = shops
    this.#story = story
  }

  async change(): Promise<void> {
    const [method, path, body] = this.#story.change()
    const answers = await Promise.all(this.#shops.map((shop) => shop.call(method, path, body)))
    const [expected, status] = answers.map((answer) => answer.status)
    assert.equal(status, expected, `seed ${this.#story.seed}, change ${this.#changes++}`)
  }

  async compare(body: object): Promise<void> {
    const [expected, found] = await Promise.all(this.#shops.map((shop) => shop.search(body)))
    const when = `seed ${this.#story.seed}, after change ${this.#changes}`
    assert.deepEqual(found, expected, `${when}: ${JSON.stringify(body)}`)
  }

  async mixed(): Promise<void> {
    for (let at = 0; at < CHANGES / STORES; at++) {
      await this.change()
      await this.compare(this.#story.search())
    }
  }

  /** Searches that recur are answered from memory while nothing changes, and only then. */
  async recurring(): Promise<void> {
    const [, cluster] = this.#shops
    const searches = Array.from({ length: 6 }, () => this.#story.search())
    for (let at = 0; at < 2; at++) {
      const before = await cluster.fromCache()
      await until('answers from memory', async () => {
        for (const body of searches) await this.compare(body)
        return (await cluster.fromCache()) > before + searches.length
      })
      await this.change()
      for (const body of searches) await this.compare(body)
    }
  }
}

suite('600 mixed changes, each followed by a search', NEEDS_CLUSTER, () => {
  test('find the same on a cluster as on one machine, also what is kept in memory', async () => {
    await using nodes = await startNodes(2)
    const one = await ServerProcess.start({ threads: 1 })
    const seed = Math.floor(Math.random() * 2 ** 31)
    try {
      const admin = { authorization: `Bearer ${one.adminToken}` }
      const stores = Array.from({ length: STORES }, async (_, at) => {
        const embedded = await Shop.open([one.url], admin, `shop${at}`)
        const cluster = await Shop.open(nodes.urls, asAdmin, `shop${at}`)
        const both = new Both([embedded, cluster], new Story(seed + at))
        await both.mixed()
        return both
      })
      const [both] = await Promise.all(stores)
      await both!.recurring()
    } finally {
      await one.stop()
    }
  })
})
