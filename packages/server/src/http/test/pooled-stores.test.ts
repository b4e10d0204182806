import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { SeededRandom } from '@aisle/testing'
import { createTestApp, type TestApp, type TestStore } from './test-app.ts'

// Goal: whatever the neighbour of a store writes, no answer of the store changes: neither what is
// found nor its score, facets, corrections, completions. On a cluster small stores share an index.
// Method: the same shop alone, and beside one that holds its words, beginnings of them and typos.

const ROUNDS = 2
/** In each round. */
const QUERIES = 10
const WORDS = [
  'tent',
  'tents',
  'trail',
  'shoe',
  'stove',
  'lantern',
  'sleeping',
  'bag',
  'red',
  'blue',
]
const BRANDS = ['Fells', 'Norrby', 'Otter']
const FIELDS = [
  { name: 'title', type: 'string', searchable: true },
  { name: 'brand', type: 'string', searchable: true, facet: true, sort: true },
  { name: 'price', type: 'float', facet: true, sort: true },
]

interface Product {
  readonly id: string
  readonly title: string
  readonly brand: string
  readonly price: number
}

function products(random: SeededRandom, words: readonly string[], count: number): Product[] {
  const one = (from: readonly string[]): string => from[random.below(from.length)]!
  return Array.from({ length: count }, (_, i) => ({
    id: String(i),
    title: Array.from({ length: 1 + random.below(4) }, () => one(words)).join(' '),
    brand: one(BRANDS),
    price: random.below(100),
  }))
}

/** The word with one letter left out, doubled or exchanged, a beginning of it, or more of it. */
function near(random: SeededRandom, word: string): string {
  const at = random.below(word.length)
  const [before, after] = [word.slice(0, at), word.slice(at)]
  const forms = [before + after.slice(1), before + word[at] + after, `${before}x${after.slice(1)}`]
  return [...forms, word.slice(0, 3), `${word}s`, `${word}house`][random.below(6)] || word
}

async function store(app: TestApp, id: string): Promise<TestStore> {
  const made = await app.createStore(id)
  const url = `/api/v1/stores/${id}/schema`
  await app.call({ method: 'POST', url, headers: made.write, body: { fields: FIELDS } })
  return made
}

async function fill(app: TestApp, { id, write }: TestStore, documents: Product[]): Promise<void> {
  const url = `/api/v1/stores/${id}/documents/bulk`
  const answer = await app.call({ method: 'POST', url, headers: write, body: { documents } })
  assert.equal(answer.json().summary.failed, 0, answer.body)
}

async function answers(app: TestApp, { read }: TestStore, queries: readonly string[]) {
  const all = []
  for (const q of queries) {
    const shown = { facets: ['brand', 'price'], explain: true, per_page: 30 }
    const body = { q, ...shown, analytics: false }
    const found = await app.call({ method: 'POST', url: '/v1/search', headers: read, body })
    assert.equal(found.statusCode, 200, found.body)
    const { search_id: _, search_time_ms: __, ...search } = found.json()
    const url = '/v1/suggestions/queries'
    const suggested = await app.call({ method: 'POST', url, headers: read, body: { q } })
    assert.equal(suggested.statusCode, 200, suggested.body)
    const { meta: ___, ...suggestions } = suggested.json()
    all.push({ q, search, suggestions })
  }
  return all
}

suite('stores that share an index', () => {
  test('answer as if each were alone', async () => {
    await using quiet = await createTestApp()
    await using shared = await createTestApp()
    for (let round = 0; round < ROUNDS; round++) {
      const random = new SeededRandom(round + 1)
      const own = products(random, WORDS, 12)
      const id = `shop-${round}`
      const others = WORDS.flatMap((word) => [word, near(random, word), near(random, word)])
      const neighbour = await store(shared, `other-${round}`)
      await fill(shared, neighbour, products(random, others, 60))
      const alone = await store(quiet, id)
      const beside = await store(shared, id)
      await fill(quiet, alone, own)
      await fill(shared, beside, own)
      const queries = Array.from({ length: QUERIES }, (_, i) => {
        const word = WORDS[random.below(WORDS.length)]!
        return [word, near(random, word), `red ${near(random, word)}`][i % 3]!
      })
      const expected = await answers(quiet, alone, queries)
      assert.deepEqual(await answers(shared, beside, queries), expected)
      // What the neighbour writes and removes later changes nothing either.
      await fill(shared, neighbour, products(random, [...others, ...queries], 80))
      assert.deepEqual(await answers(shared, beside, queries), expected)
      const url = `/api/v1/stores/${neighbour.id}/documents`
      const cleared = await shared.call({ method: 'DELETE', url, headers: neighbour.write })
      assert.equal(cleared.json().status, 'cleared')
      assert.deepEqual(await answers(shared, beside, queries), expected)
    }
  })
})
