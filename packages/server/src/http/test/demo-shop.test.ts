import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { DEMO_SETTINGS, demoCatalog } from '../../demo/demo-catalog.ts'
import { createTestApp } from './test-app.ts'

suite('the demo shop', async () => {
  await using app = await createTestApp()
  const store = await app.createStore('demo')
  const call = async (
    method: 'POST' | 'PATCH',
    url: string,
    headers: Record<string, string>,
    body: object,
  ) => {
    const answer = await app.call({ method, url, headers, body })
    assert.ok(answer.statusCode < 300, answer.body)
    return answer.json()
  }
  const { schema, documents } = demoCatalog()
  const base = `/api/v1/stores/${store.id}`
  await call('POST', `${base}/schema`, store.write, schema)
  for (let i = 0; i < documents.length; i += 500) {
    const some = documents.slice(i, i + 500)
    await call('POST', `${base}/documents/bulk`, store.write, { documents: some })
  }
  const tents = { q: 'tent', sort_by: 'price:asc', per_page: 100, return_fields: ['title'] }
  const titles = async (body: object): Promise<string[]> =>
    (await call('POST', '/v1/search', store.read, body)).hits.map(
      ({ document }: { document: { title: string } }) => document.title,
    )
  const plain = await titles(tents)
  await call('PATCH', `${base}/settings`, store.write, DEMO_SETTINGS)
  const sold = await titles(tents)
  const suggested: string[][] = []
  for (const q of ['rain j', 'rain jo', 'sleeping b']) {
    const asked = { q, include_dropdown_product_list: false }
    const { suggestions } = await call('POST', '/v1/suggestions/queries', store.read, asked)
    suggested.push(suggestions.map(({ query }: { query: string }) => query))
  }

  test('tents by price do not open with a lantern that mentions one', () => {
    assert.match(plain[0]!, /Lantern/)
    assert.equal(sold.length, plain.filter((title) => /\bTent\b/.test(title)).length)
    assert.ok(sold.length > 30 && sold.every((title) => /\bTent\b/.test(title)))
  })

  test('suggestions are what things are called', () => {
    const [jackets = [], none, bags = []] = suggested
    assert.match(jackets[0]!, /^rain jackets?$/)
    assert.deepEqual(none, [])
    assert.match(bags[0]!, /^sleeping bags?$/)
    for (const text of suggested.flat()) assert.doesNotMatch(text, /job|because|before/)
  })
})
