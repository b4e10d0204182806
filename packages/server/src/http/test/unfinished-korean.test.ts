import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from './test-app.ts'

test('unfinished Korean completes suggestions and values of facets', async () => {
  await using app = await createTestApp()
  const store = await app.createStore('shop')
  const post = async (url: string, body: object, headers: object = store.read) => {
    const answer = await app.call({
      method: 'POST',
      url,
      headers: { ...store.read, ...headers },
      body,
    })
    assert.ok(answer.statusCode < 300, answer.body)
    return answer.json()
  }
  const base = `/api/v1/stores/${store.id}`
  const fields = [
    { name: 'title', type: 'string', searchable: true },
    { name: 'kind', type: 'string', facet: true },
  ]
  await post(`${base}/schema`, { fields }, store.write)
  const documents = ['가방', '여행 가방', '갑옷', '과일', '나무'].map((kind, i) => ({
    id: `${i}`,
    title: `좋은 ${kind}`,
    kind,
  }))
  await post(`${base}/documents/bulk`, { documents }, store.write)
  for (const query of ['여행 가방', '갑옷']) {
    await post('/analytics/event', { event_type: 'search', data: { query, total_results: 1 } })
    app.time.nowMs += 6_000
  }

  const suggestions = async (q: string): Promise<string[]> => {
    const asked = { q, include_dropdown_product_list: false }
    const answer = await post('/v1/suggestions/queries', asked)
    return answer.suggestions.map(({ query }: { query: string }) => query)
  }
  const kinds = async (typed: string): Promise<string[]> => {
    const answer = await post('/v1/search', { q: '*', facet_query: `kind:${typed}` })
    return answer.facets.kind.map(({ highlighted }: { highlighted: string }) => highlighted)
  }
  assert.deepEqual(await suggestions('ㄱ'), ['갑옷', '여행 가방'])
  assert.deepEqual(await suggestions('갑'), ['갑옷', '여행 가방'])
  assert.deepEqual(await suggestions('가바'), ['여행 가방'])
  const [bag, travelBag] = ['<mark>가방</mark>', '여행 <mark>가방</mark>']
  assert.deepEqual(await kinds('갑'), [bag, '<mark>갑</mark>옷', travelBag])
  assert.deepEqual(await kinds('가바'), [bag, travelBag])
  assert.deepEqual(await kinds('여행 ㄱ'), ['<mark>여행</mark> <mark>가</mark>방'])
})
