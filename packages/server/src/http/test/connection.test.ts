import assert from 'node:assert/strict'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { after, suite, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createTestApp, fillStore } from './test-app.ts'

// Cases that need a real socket: bytes that are not HTTP, repeated header lines, many requests at
// once.

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const store = await testApp.createStore('wire')
await fillStore(testApp, store)
await testApp.app.listen({ port: 0, host: '127.0.0.1' })
const { port } = testApp.app.server.address() as AddressInfo

/**
 * Sends bytes and returns everything received until the server closes, or `answers` have arrived.
 */
function exchange(bytes: string, answers = 1): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let text = ''
    const finish = () => {
      socket.destroy()
      resolve(text)
    }
    socket.setEncoding('utf8')
    socket.setTimeout(5_000, finish)
    socket.on('data', (chunk: string) => {
      text += chunk
      const heads = text.match(/HTTP\/1\.1 \d+[^]*?\r\n\r\n/g) ?? []
      const expected = heads.reduce((sum, head) => {
        const length = /content-length: (\d+)/i.exec(head)?.[1] ?? '0'
        return sum + head.length + Number(length)
      }, 0)
      if (heads.length >= answers && Buffer.byteLength(text) >= expected) finish()
    })
    socket.on('end', finish)
    socket.on('error', reject)
  })
}

const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map((one) => one[1])
const bodyOf = (text: string) => JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4))

const KEYS = `x-storeid: wire\r\nx-storesecret: ${store.readSecret}\r\n`
const post = (headers: string, body: string, path = '/v1/search') =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\n${headers}\r\n${body}`
const BODY = '{"q":"shoe"}'
const LENGTH = `content-length: ${BODY.length}\r\n`

suite('connection', () => {
  test('a body without content-type is JSON', async () => {
    const answer = await exchange(post(KEYS + LENGTH, BODY))
    assert.deepEqual(statuses(answer), ['200'])
    assert.equal(bodyOf(answer).found, 2)
  })

  // Cached responses share memory: none may be overwritten before it is sent.
  test('cached responses are whole, in order, however slowly they are read', async () => {
    const large = await testApp.createStore('large')
    await fillStore(testApp, large)
    const documents = ['x', 'y'].map((id) => {
      return { id, title: `large ${id}`, brand: 'a red trail shoe '.repeat(1_000) }
    })
    const bulk = await testApp.call({
      method: 'POST',
      url: '/api/v1/stores/large/documents/bulk',
      headers: large.write,
      body: { documents },
    })
    assert.equal(bulk.json().summary.failed, 0, bulk.body)
    const keys = `x-storeid: large\r\nx-storesecret: ${large.readSecret}\r\n`
    const asked = ['x', 'y', 'red'].map((q) => {
      const body = JSON.stringify({
        q,
        cache_results: true,
        highlight: false,
        per_page: 1,
        return_fields: ['title', 'brand'],
      })
      return post(`${keys}content-length: ${Buffer.byteLength(body)}\r\n`, body)
    })
    const hits = (answer: string) => JSON.stringify(bodyOf(answer).hits)
    const expected: string[] = []
    for (const one of asked) expected.push(hits(await exchange(one)))
    const count = 300
    const socket = connect(port, '127.0.0.1')
    // Nothing is read meanwhile: the kernel's buffers fill up.
    for (let i = 0; i < count; i++) {
      socket.write(asked[i % asked.length]!)
      if (i % 10 === 9) await setImmediate()
    }
    let rest = ''
    let seen = 0
    let refused = 0
    for await (const chunk of socket.setEncoding('utf8')) {
      rest += chunk
      for (;;) {
        const head = rest.indexOf('\r\n\r\n')
        const length = Number(/content-length: (\d+)/i.exec(rest.slice(0, head))?.[1])
        if (head < 0 || rest.length < head + 4 + length) break
        const answer = rest.slice(0, head + 4 + length)
        // On a busy machine this number of requests at once may be too much to do.
        if (statuses(answer)[0] === '503') refused++
        else assert.equal(hits(answer), expected[seen % asked.length])
        rest = rest.slice(head + 4 + length)
        seen++
      }
      if (seen === count) break
    }
    assert.equal(seen, count)
    assert.ok(refused < count)
  })

  test('requests in a row on one connection are answered in order', async () => {
    const requests = ['shoe', 'jacket', 'stove', 'nothing'].map((q) => {
      const body = JSON.stringify({ q, per_page: 0, typo_max: 0 })
      return post(`${KEYS}content-length: ${body.length}\r\n`, body)
    })
    const answer = await exchange(requests.join(''), 4)
    assert.deepEqual(statuses(answer), ['200', '200', '200', '200'])
    assert.deepEqual(
      [...answer.matchAll(/"found":(\d+)/g)].map((one) => one[1]),
      ['2', '1', '1', '0'],
    )
  })

  test('an error does not end the connection', async () => {
    const bad = post(`${KEYS}content-length: 1\r\n`, '{')
    const answer = await exchange(bad + post(KEYS + LENGTH, BODY), 2)
    assert.deepEqual(statuses(answer), ['400', '200'])
  })

  const repeated = [
    `${KEYS}x-storeid: wire\r\n`,
    `${KEYS}X-StoreSecret: ${store.readSecret}\r\n`,
    `${KEYS}x-store-write-secret: a\r\nx-store-write-secret: b\r\n`,
  ]
  for (const headers of repeated) {
    const name = headers.trim().split('\r\n').at(-1)!.split(':')[0]
    test(`a second ${name} line is 401`, async () => {
      const answer = await exchange(post(headers + LENGTH, BODY))
      assert.deepEqual(statuses(answer), ['401'])
      assert.equal(bodyOf(answer).code, 'invalid_credentials')
    })
  }

  const broken: readonly (readonly [string, string, string, string])[] = [
    ['no host', `GET /livez HTTP/1.1\r\n\r\n`, '400', 'malformed_request'],
    ['bytes that are not HTTP', 'hello\r\n\r\n', '400', 'malformed_request'],
    [
      'two lengths',
      post(`${KEYS}content-length: 1\r\ncontent-length: 2\r\n`, '{}'),
      '400',
      'malformed_request',
    ],
    [
      'a length that is no number',
      post(`${KEYS}content-length: x\r\n`, '{}'),
      '400',
      'malformed_request',
    ],
    [
      'a length and chunks',
      post(`${KEYS}${LENGTH}transfer-encoding: chunked\r\n`, BODY),
      '400',
      'malformed_request',
    ],
    ['headers without end', post(`a: ${'x'.repeat(40_000)}\r\n`, ''), '431', 'headers_too_large'],
    [
      'a body that is announced too large',
      post(`${KEYS}content-length: 1000001\r\n`, ''),
      '413',
      'payload_too_large',
    ],
    [
      'an empty body',
      post(`${KEYS}content-type: application/json\r\ncontent-length: 0\r\n`, ''),
      '400',
      'malformed_json',
    ],
    ['no body', post(KEYS, ''), '400', 'malformed_json'],
  ]
  for (const [name, bytes, status, code] of broken) {
    test(`${name}: ${status} ${code}, in the shape of all errors`, async () => {
      const answer = await exchange(bytes)
      assert.deepEqual(statuses(answer), [status], answer)
      const body = bodyOf(answer)
      assert.deepEqual([body.code, String(body.status)], [code, status])
      assert.ok(answer.includes(`x-request-id: ${body.request_id}`))
      assert.ok(answer.includes('x-content-type-options: nosniff'))
    })
  }

  test('a client that is refused while it sends can read why, and go on', async () => {
    const size = 20_000_000
    const head = `${KEYS}content-type: application/json\r\ncontent-length: ${size}\r\n`
    const chunk = ' '.repeat(size)
    const answer = await exchange(post(head, chunk) + post(KEYS + LENGTH, BODY), 2)
    assert.deepEqual(statuses(answer), ['413', '200'])
    assert.doesNotMatch(answer, /connection: close/i)
  })

  test('an expectation that nobody knows is no reason to refuse', async () => {
    const answer = await exchange(post(`${KEYS}${LENGTH}expect: the-best\r\n`, BODY))
    assert.deepEqual(statuses(answer), ['200'])
  })

  test('a compressed body is 415', async () => {
    const answer = await exchange(post(`${KEYS}${LENGTH}content-encoding: gzip\r\n`, BODY))
    assert.deepEqual(statuses(answer), ['415'])
    assert.equal(bodyOf(answer).code, 'unsupported_media_type')
  })

  test('an NDJSON stream is indexed while it comes', async () => {
    const lines = Array.from({ length: 1_100 }, (_, i) => `{"id":"s${i}","title":"streamed"}\n`)
    const chunks = lines.map((line) => `${line.length.toString(16)}\r\n${line}\r\n`).join('')
    const head = `x-storeid: wire\r\nx-store-write-secret: ${store.writeSecret}\r\n`
    const type = 'content-type: application/x-ndjson\r\ntransfer-encoding: chunked\r\n'
    const path = '/api/v1/stores/wire/documents/bulk'
    const request = `${post(`${head}${type}connection: close\r\n`, `${chunks}0\r\n\r\n`, path)}`
    const answer = await exchange(request, Infinity)
    assert.deepEqual(statuses(answer), ['207'])
    assert.match(answer, /"summary":\{"total":1100,"succeeded":1100,"failed":0\}/)
  })
})
