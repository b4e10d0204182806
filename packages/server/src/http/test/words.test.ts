import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createTestApp } from './test-app.ts'

/** What words find, asked as a visitor would ask. */
const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())

let storeCount = 0

/** A store of these titles; ids count from 1. */
async function shopOf(titles: readonly string[]) {
  const id = `words-${++storeCount}`
  const { read, write } = await testApp.createStore(id)
  const url = `/api/v1/stores/${id}`
  const fields = [{ name: 'title', type: 'string', searchable: true }]
  await testApp.call({ method: 'POST', url: `${url}/schema`, headers: write, body: { fields } })
  const documents = titles.map((title, i) => ({ id: String(i + 1), title }))
  await testApp.call({
    method: 'POST',
    url: `${url}/documents/bulk`,
    headers: write,
    body: { documents },
  })
  const search = async (q: string, parameters: object = {}) => {
    const body = { q, per_page: 100, ...parameters }
    const answer = await testApp.call({ method: 'POST', url: '/v1/search', headers: read, body })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json()
  }
  const titlesFor = async (q: string, parameters?: object): Promise<string[]> => {
    const { hits } = await search(q, parameters)
    return hits.map(({ document }: { document: { title: string } }) => document.title)
  }
  return { url, read, write, search, titlesFor }
}

suite('a joined spelling with the stem of one of its words is none', async () => {
  const shop = await shopOf([
    'red chair', // chairred: chair
    'chair',
    'red car', // carred: car
    'car',
    'galaxy phone s', // galaxys: galaxi
    'galaxy',
    'red iphone', // iphonered: iphon
    'iphone',
  ])
  const cases = [
    ['chair red', 'red chair', 'chair'],
    ['car red', 'red car', 'car'],
    ['galaxy s', 'galaxy phone s', 'galaxy'],
    ['iphone red', 'red iphone', 'iphone'],
    ['chair-red', 'red chair', 'chair'],
  ] as const
  for (const [q, both, one] of cases) {
    test(`${q}: both words are asked for`, async () => {
      const found = await shop.titlesFor(q)
      assert.equal(found[0], both)
      assert.ok(found.includes(one))
      assert.deepEqual(await shop.titlesFor(q, { require_all_terms: true }), [both])
    })
  }

  test('it excludes nothing', async () => {
    assert.deepEqual(await shop.titlesFor('phone -chair-red'), ['galaxy phone s'])
    assert.ok((await shop.titlesFor('chair -chair-red')).includes('chair'))
  })
})
