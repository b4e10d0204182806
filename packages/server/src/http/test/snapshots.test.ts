import assert from 'node:assert/strict'
import { after, test } from 'node:test'
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
