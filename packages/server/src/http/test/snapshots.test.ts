import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '@aisle/testing'
import { ADMIN_TOKEN, createTestApp, fillStore } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const headers = { authorization: `Bearer ${ADMIN_TOKEN}` }
const SNAPSHOTS = '/api/v1/admin/snapshots'
const call = (method: 'GET' | 'POST' | 'DELETE', url: string) =>
  testApp.call({ method, url: SNAPSHOTS + url, headers })

test('a snapshot is made, listed, verified and deleted', async () => {
  await fillStore(testApp, await testApp.createStore('kept'))
  const made = await call('POST', '')
  assert.equal(made.statusCode, 201)
  assert.deepEqual([made.json().stores, made.json().documents], [1, 4])
  assert.deepEqual((await call('GET', '')).json(), { snapshots: [made.json()] })
  const { name } = made.json()
  assert.deepEqual((await call('POST', `/${name}/verify`)).json(), made.json())
  assert.deepEqual((await call('DELETE', `/${name}`)).json(), { name, status: 'deleted' })
  for (const answer of [await call('DELETE', `/${name}`), await call('POST', '/..%2fx/verify')]) {
    assert.deepEqual([answer.statusCode, answer.json().code], [404, 'snapshot_not_found'])
  }
})

const body = { store: 'origin', id: 'restored', name: 'Again' }
const send = (method: 'GET' | 'POST', path: string, content?: unknown, as = headers) =>
  testApp.call({
    method,
    url: `/api/v1/admin/${path}`,
    headers: as,
    ...(content === undefined ? {} : { body: content }),
  })

test('a store of a snapshot is restored into a new one', async () => {
  const origin = await testApp.createStore('origin')
  await fillStore(testApp, origin)
  const { name } = (await call('POST', '')).json()
  const stores = (await send('GET', `snapshots/${name}/stores`)).json().stores
  const described = stores.find((one: { store_id: string }) => one.store_id === 'origin')
  assert.equal(described.documents, 4)
  const restore = `snapshots/${name}/restore`
  for (const [wrong, status, code, param] of [
    [{}, 400, 'missing_parameter', 'store'],
    [{ ...body, id: undefined }, 400, 'missing_parameter', 'id'],
    [{ ...body, id: 'a b' }, 400, 'invalid_parameter', 'id'],
    [{ ...body, name: '' }, 400, 'invalid_parameter', 'name'],
    [{ ...body, store: 7 }, 400, 'invalid_parameter', 'store'],
    [[], 400, 'invalid_parameter', undefined],
    [{ ...body, store: 'none' }, 404, 'store_not_found', 'store'],
    [{ ...body, id: 'origin' }, 409, 'store_exists', 'id'],
  ] as const) {
    const answer = await send('POST', restore, wrong)
    const error = answer.json()
    assert.deepEqual(
      [answer.statusCode, error.code, error.details?.[0]?.param],
      [status, code, param],
    )
  }
  const editor = await testApp.logIn('restoring-editor', 'editor')
  for (const path of [`snapshots/${name}/stores`, 'restores']) {
    assert.equal((await send('GET', path, undefined, editor as typeof headers)).statusCode, 403)
  }
  assert.equal((await send('POST', restore, body, editor as typeof headers)).statusCode, 403)
  assert.equal((await send('GET', 'restores')).json().restores.length, 0)

  const started = await send('POST', restore, body)
  assert.equal(started.statusCode, 202, started.body)
  const { restore: job, store } = started.json()
  const done = await until('the restore is over', async () => {
    const current = (await send('GET', `restores/${job.id}`)).json()
    return current.state === 'done' && current
  })
  assert.deepEqual([done.documents_done, done.documents_total, done.refused], [4, 4, 0])
  assert.deepEqual(done.changed_by, { actor: 'admin_token' })
  const key = { 'x-storeid': 'restored', 'x-store-write-secret': store.write_secret }
  const exported = await testApp.call({ url: '/api/v1/stores/restored/documents', headers: key })
  const original = await testApp.call({
    url: '/api/v1/stores/origin/documents?order=inserted',
    headers: origin.write,
  })
  assert.equal(exported.body, original.body)
  assert.deepEqual((await send('GET', 'restores')).json().restores, [done])
  const cancelled = await send('POST', `restores/${job.id}/cancel`)
  assert.equal(cancelled.json().state, 'done', 'what is over stays as it is')
  assert.equal((await send('GET', 'restores/none')).json().code, 'restore_not_found')
  assert.equal((await send('POST', restore, body)).json().code, 'store_exists')
  const audit = (await send('GET', 'audit?limit=50')).json().entries
  const entry = audit.find((one: Record<string, string>) => {
    return one['action'] === 'restoreStore' && one['result'] === 'done'
  })
  assert.deepEqual([entry.store_id, entry.target], ['restored', `${name} origin`])
})
