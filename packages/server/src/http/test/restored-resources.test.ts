import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '@aisle/testing'
import { ADMIN_TOKEN, createTestApp, type TestStore } from './test-app.ts'

const app = await createTestApp()
after(() => app[Symbol.asyncDispose]())
const admin = { authorization: `Bearer ${ADMIN_TOKEN}` }

const write = async (
  store: Pick<TestStore, 'id' | 'write'>,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
) => {
  const url = `/api/v1/stores/${store.id}/${path}`
  const answer = await app.call({ method, url, headers: store.write, body })
  assert.ok(answer.statusCode < 300, answer.body)
  return answer.json()
}
const search = async (store: Pick<TestStore, 'read'>, visitor: string, body: object) => {
  const headers = { ...store.read, 'x-anon-id': visitor }
  const answer = await app.call({ method: 'POST', url: '/v1/search', headers, body })
  assert.equal(answer.statusCode, 200, answer.body)
  const { hits, experiment, applied_rules: rules = [] } = answer.json()
  return { ids: hits.map(({ id }: { id: string }) => id).join(''), experiment, rules }
}

test('a restored store has its collections, strategies and running experiment', async () => {
  const origin = await app.createStore('origin')
  await write(origin, 'POST', 'schema', {
    fields: [
      { name: 'title', type: 'string', searchable: true },
      { name: 'price', type: 'int32', facet: true, sort: true },
    ],
  })
  for (const [i, id] of [...'abcd'].entries()) {
    await write(origin, 'POST', 'documents', { id, data: { title: 'Tent', price: i } })
  }
  await write(origin, 'PUT', 'collections/cheap', { filter_by: 'price:<2' })
  await write(origin, 'PUT', 'strategies/sale', { title: 'Sale' })
  await write(origin, 'PUT', 'strategies/over', { title: 'Over', enabled: false })
  const when = [{ query: 'tent' }]
  await write(origin, 'PUT', 'rules/first', { when, strategy: 'sale', sort_by: 'price:asc' })
  await write(origin, 'PUT', 'rules/second', { when, strategy: 'over', hide: ['a'] })
  const started = await write(origin, 'POST', 'experiments', {
    name: 'Reverse',
    kind: 'split',
    draft: { rules: { first: { when, strategy: 'sale', sort_by: 'price:desc' } } },
  })
  const seen = async (store: Pick<TestStore, 'read'>) => [
    ...(await Promise.all(
      Array.from({ length: 20 }, (_, i) => search(store, `v${i}`, { q: 'tent' })),
    )),
    await search(store, 'v1', { q: '*', filter_by: '_collection:cheap' }),
  ]
  const before = await seen(origin)
  assert.deepEqual(new Set(before.map(({ ids }) => ids)), new Set(['abcd', 'dcba', 'ba']))
  assert.ok(before.slice(0, -1).every(({ rules }) => rules.join() === 'first'))
  const lists = ['collections', 'strategies', 'rules', `experiments/${started.id}`]
  const described = async (store: Pick<TestStore, 'id' | 'write'>) => {
    const all = await Promise.all(lists.map((list) => write(store, 'GET', list)))
    const { report: _, ...experiment } = all.pop()
    return [...all, experiment]
  }
  const origins = await described(origin)

  const snapshots = '/api/v1/admin/snapshots'
  const { name } = (await app.call({ method: 'POST', url: snapshots, headers: admin })).json()
  await write(origin, 'POST', `experiments/${started.id}/end`)
  await write(origin, 'DELETE', 'collections/cheap')
  const answer = await app.call({
    method: 'POST',
    url: `${snapshots}/${name}/restore`,
    headers: admin,
    body: { store: 'origin', id: 'again', name: 'Again' },
  })
  assert.equal(answer.statusCode, 202, answer.body)
  const { restore: job, store } = answer.json()
  await until('the restore is over', async () => {
    const url = `/api/v1/admin/restores/${job.id}`
    return (await app.call({ url, headers: admin })).json().state === 'done'
  })
  const again = {
    id: 'again',
    write: { 'x-storeid': 'again', 'x-store-write-secret': store.write_secret },
    read: { 'x-storeid': 'again', 'x-storesecret': store.read_secret },
  }
  assert.deepEqual(await described(again), origins)
  assert.deepEqual(await seen(again), before, 'each visitor is in the same arm')
})
