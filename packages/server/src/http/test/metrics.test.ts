import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { ADMIN_TOKEN, createTestApp, fillStore } from './test-app.ts'

const testApp = await createTestApp({ trustProxy: true })
after(() => testApp[Symbol.asyncDispose]())
const { app, call } = testApp
const bearer = { authorization: `Bearer ${ADMIN_TOKEN}` }
const store = await testApp.createStore('a-customer')
await fillStore(testApp, store)
await call({ method: 'POST', url: '/v1/search', headers: store.read, body: { q: 'shoe' } })

suite('metrics', () => {
  test('are for this machine, and for holders of the admin token', async () => {
    const ask = (remoteAddress: string, headers: Record<string, string> = {}) =>
      app.inject({ url: '/metrics', remoteAddress, headers })
    for (const address of ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1']) {
      assert.equal((await ask(address)).statusCode, 200, address)
    }
    for (const address of ['192.0.2.1', '::ffff:192.0.2.1', '2001:db8::1', '172.17.0.1']) {
      const refused = await ask(address)
      assert.deepEqual([refused.statusCode, refused.json().code], [401, 'missing_credentials'])
      assert.doesNotMatch(refused.body, /aisle_/)
      assert.equal((await ask(address, bearer)).statusCode, 200)
    }
    const wrong = await ask('192.0.2.1', { authorization: 'Bearer wrong' })
    assert.deepEqual([wrong.statusCode, wrong.json().code], [401, 'invalid_credentials'])
    // Requests that a proxy on this machine forwards are not local, whatever they claim.
    for (const forwarded of ['192.0.2.1', '127.0.0.1', '127.0.0.1, 192.0.2.1', '']) {
      const answer = await ask('127.0.0.1', { 'x-forwarded-for': forwarded })
      assert.equal(answer.statusCode, 401, forwarded)
    }
    assert.equal((await ask('127.0.0.1', { forwarded: 'for=192.0.2.1' })).statusCode, 401)
  })

  test('name no store, unless they are told to', async () => {
    const { body } = await call({ url: '/metrics' })
    assert.doesNotMatch(body, /a-customer/)
    assert.match(
      body,
      /^aisle_search_requests_total\{store="all",kind="search",cached="false"\} 1$/m,
    )
    assert.match(body, /^aisle_index_documents\{store="all"\} 4$/m)
    await using named = await createTestApp({ metricsStores: true })
    await fillStore(named, await named.createStore('a-customer'))
    const names = (await named.call({ url: '/metrics' })).body
    assert.match(names, /^aisle_index_documents\{store="a-customer"\} 4$/m)
  })
})
