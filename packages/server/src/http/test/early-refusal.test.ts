import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { suite, test } from 'node:test'
import { ApiError, type ErrorResponse } from '@aisle/contract'
import { registerEarlyRefusal } from '../plugins/early-refusal.ts'
import { createTestApp, fillStore } from './test-app.ts'

const OVERLOADED = new ApiError('unavailable', 'The service is overloaded: try again', {
  retryAfterSeconds: 1,
})
const ORIGIN = 'https://shop.example'

suite('refusals before the framework', () => {
  test('every route that a key of a store opens is refused for a full store, with what a page of another origin may read; the rest goes to the framework', async () => {
    const counted: string[] = []
    let readCount = 0
    await using testApp = await createTestApp()
    const [full, other] = [await testApp.createStore('full'), await testApp.createStore('other')]
    await fillStore(testApp, full)
    const settings = `/api/v1/stores/${full.id}/settings`
    await testApp.call({
      method: 'PATCH',
      url: settings,
      headers: full.write,
      body: { cors_origins: [ORIGIN] },
    })
    registerEarlyRefusal(testApp.app, testApp.ports, OVERLOADED, {
      isCalm: () => false,
      isFull: (_need, storeId) => storeId === full.id,
      count: (storeId) => void counted.push(storeId),
      read: () => void readCount++,
    })
    await testApp.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = testApp.app.server.address() as AddressInfo
    const send = async (
      method: string,
      path: string,
      headers: Record<string, string>,
      body?: object,
    ) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: {
          'x-request-id': 'mine',
          ...headers,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, text }
    }

    const documents = `/api/v1/stores/${full.id}/documents`
    const document = { id: '1', data: { title: 'red shoe', brand: 'Ada' } }
    for (const [isRead, method, path, headers, body] of [
      [true, 'POST', '/v1/search', full.read, { q: 'red' }],
      [true, 'POST', '/v1/search?preset=x', full.write, { q: 'red' }],
      [true, 'GET', '/v1/suggestions/queries?q=re', full.read],
      [true, 'GET', `${documents}/1`, full.read],
      [false, 'POST', documents, full.write, document],
      [false, 'DELETE', `${documents}/1`, full.write],
    ] as const) {
      const refused = await send(method, path, { ...headers, origin: ORIGIN }, body)
      assert.equal(refused.status, 503, `${method} ${path}`)
      assert.deepEqual(
        [
          'retry-after',
          'x-request-id',
          'x-content-type-options',
          'access-control-allow-origin',
        ].map((name) => refused.headers.get(name)),
        ['1', 'mine', 'nosniff', isRead ? ORIGIN : null],
      )
      const { code, request_id } = JSON.parse(refused.text) as ErrorResponse
      assert.deepEqual([code, request_id], ['unavailable', 'mine'])
    }
    assert.deepEqual(
      counted,
      Array.from({ length: 6 }, () => full.id),
    )

    for (const [status, method, path, headers, body] of [
      [200, 'POST', '/v1/search', other.read, { q: 'red' }],
      [401, 'POST', '/v1/search', { ...full.read, 'x-storesecret': 'wrong' }, { q: 'red' }],
      [401, 'POST', '/v1/search', { 'x-storeid': full.id }, { q: 'red' }],
      [403, 'POST', documents, full.read, document],
      [403, 'GET', `/api/v1/stores/${other.id}/documents/1`, full.read],
      [404, 'GET', '/v1/nowhere', full.read],
      [405, 'DELETE', '/v1/search', full.read],
      [200, 'GET', '/livez', {}],
    ] as const) {
      const answer = await send(method, path, headers, body)
      assert.equal(answer.status, status, `${method} ${path}: ${answer.text}`)
    }
    const audited = await send('PATCH', settings, full.write, { cors_origins: [] })
    assert.equal(audited.status, 200, 'what is audited is left to the framework')
    assert.deepEqual([counted.length, readCount], [6, 15])
  })
})
