import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { suite, test } from 'node:test'
import type { ErrorResponse } from '@aisle/contract'
import { checkError, createTestApp, fillStore, type TestStore } from './test-app.ts'

const ORIGIN = 'https://shop.example'
const ANY = { q: 'red shoe', facet_by: 'brand' }

suite('more requests than a thread can do', () => {
  test('requests that would wait too long are refused, others and other stores are served', async () => {
    await using app = await createTestApp({ metricsStores: true })
    const [flood, neighbour] = [await app.createStore('flood'), await app.createStore('neighbour')]
    await fillStore(app, flood)
    await fillStore(app, neighbour)
    await app.call({
      method: 'PATCH',
      url: `/api/v1/stores/${flood.id}/settings`,
      headers: flood.write,
      body: { cors_origins: [ORIGIN] },
    })
    const search = ({ read }: TestStore) => {
      const headers = { ...read, origin: ORIGIN }
      return app.app.inject({ method: 'POST', url: '/v1/search', headers, payload: ANY })
    }
    const [floods, neighbours, health] = await Promise.all([
      Promise.all(Array.from({ length: 600 }, () => search(flood))),
      Promise.all(Array.from({ length: 5 }, () => search(neighbour))),
      app.call({ url: '/health' }),
    ])
    const refused = floods.filter((answer) => answer.statusCode === 503)
    assert.ok(refused.length > 100, `${refused.length} of 600`)
    assert.equal(floods.filter((answer) => answer.statusCode === 200).length, 600 - refused.length)
    for (const answer of refused) {
      assert.deepEqual([answer.json().code, answer.headers['retry-after']], ['unavailable', '1'])
      checkError(answer)
      assert.equal(answer.headers['access-control-allow-origin'], ORIGIN, 'its page reads why')
    }
    for (const answer of [...neighbours, health]) assert.equal(answer.statusCode, 200)
    const metrics = (await app.call({ url: '/metrics' })).body
    assert.match(
      metrics,
      RegExp(`^aisle_overload_rejections_total\\{store="flood"\\} ${refused.length}$`, 'm'),
    )
    assert.equal((await search(flood)).statusCode, 200, 'soon all is well again')
  })

  test('on real connections a refusal before the framework looks like any other, for those with the keys alone', async () => {
    await using testApp = await createTestApp()
    const store = await testApp.createStore('flood')
    await fillStore(testApp, store)
    await testApp.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = testApp.app.server.address() as AddressInfo
    const stranger = { ...store.read, 'x-storesecret': 'wrong' }
    const answers = await pipeline(
      port,
      Array.from({ length: 600 }, (_, i) => (i % 10 === 9 ? stranger : store.read)),
    )
    assert.equal(answers.length, 600)
    for (const [i, { status, head, body }] of answers.entries()) {
      if (i % 10 === 9) assert.equal(status, 401)
      else if (status !== 200) {
        assert.deepEqual([status, body.code, body.status], [503, 'unavailable', 503])
        assert.equal(body.request_id, `r${i}`)
        assert.match(head, RegExp(`^x-request-id: r${i}\r$`, 'm'))
        assert.match(head, /^retry-after: 1\r$/m)
        assert.match(head, /^content-type: application\/json; charset=utf-8\r$/m)
      }
    }
    const statuses = answers.map(({ status }) => status)
    assert.ok(statuses.includes(200) && statuses.includes(503))
  })
})

interface PipelinedAnswer {
  readonly status: number
  readonly head: string
  readonly body: ErrorResponse
}

/** Searches sent in one piece on one connection, so that all of them arrive at once. */
async function pipeline(
  port: number,
  headersOfEach: readonly Record<string, string>[],
): Promise<PipelinedAnswer[]> {
  const payload = JSON.stringify(ANY)
  const requests = headersOfEach.map((headers, i) => {
    const lines = Object.entries({
      host: 'localhost',
      'content-type': 'application/json',
      'content-length': String(payload.length),
      'x-request-id': `r${i}`,
      connection: i === headersOfEach.length - 1 ? 'close' : 'keep-alive',
      ...headers,
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    return `POST /v1/search HTTP/1.1\r\n${lines.join('')}\r\n${payload}`
  })
  const socket = connect(port, '127.0.0.1')
  socket.write(requests.join(''))
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  return text
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter((answer) => answer !== '')
    .map((answer) => {
      const [head = '', body = ''] = answer.split('\r\n\r\n')
      return { status: Number(head.slice(9, 12)), head: `${head}\r\n`, body: JSON.parse(body) }
    })
}
