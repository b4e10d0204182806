import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { EndpointConfig } from '../../ports/search/embedder-config.ts'
import { embedderConformance } from '../../ports/search/embedder.conformance.ts'
import { EndpointEmbedder } from './endpoint-embedder.ts'
import { endpointConfig } from './test/fixture-configs.ts'
import {
  openFixtureEndpoint,
  sendError,
  sendJson,
  type FixtureEndpoint,
} from './test/fixture-endpoint.ts'

const NEVER = new AbortController().signal
const KEY = 'sk-a-key-of-the-tests'

embedderConformance('an endpoint', async () => {
  const endpoint = await openFixtureEndpoint()
  const embedder = open(endpoint).embedder
  return Object.assign(embedder, {
    [Symbol.asyncDispose]: () => endpoint[Symbol.asyncDispose](),
  })
})

function open(endpoint: Pick<FixtureEndpoint, 'url'>, more: Partial<EndpointConfig> = {}) {
  const clock = { nowMs: 0 }
  const waits: number[] = []
  const changes: string[] = []
  const embedder = new EndpointEmbedder(endpointConfig(endpoint.url, more), {
    nowMs: () => clock.nowMs,
    onChange: (isOpen, reason, breakMs) => changes.push(`${isOpen} ${reason} ${breakMs}`),
    wait: (ms) => {
      waits.push(ms)
      return Promise.resolve()
    },
  })
  return { embedder, clock, waits, changes }
}

suite('an endpoint with the interface of OpenAI', () => {
  test('gets the key, the model, prefixes by purpose, and batches', async () => {
    await using endpoint = await openFixtureEndpoint()
    const { embedder } = open(endpoint, {
      apiKey: KEY,
      requestsDimensions: true,
      textsPerRequest: 2,
      queryPrefix: 'query: ',
    })
    await embedder.embed(['gas', 'stove', 'lamp'], 'query', NEVER)
    await embedder.embed(['gas'], 'document', NEVER)
    const { requests } = endpoint
    assert.deepEqual(
      requests.map(({ body }) => body),
      [['query: gas', 'query: stove'], ['query: lamp'], ['gas']].map((input) => ({
        input,
        model: 'fixture',
        dimensions: 8,
      })),
    )
    assert.equal(requests[0]!.url, '/v1/embeddings')
    assert.equal(requests[0]!.headers.authorization, `Bearer ${KEY}`)
  })

  test('Azure gets its key and version', async () => {
    await using endpoint = await openFixtureEndpoint()
    const azure = { apiKey: KEY, apiVersion: '2024-10-21', model: undefined }
    await open(endpoint, azure).embedder.embed(['gas'], 'query', NEVER)
    const [{ url, headers, body } = assert.fail()] = endpoint.requests
    assert.equal(url, '/v1/embeddings?api-version=2024-10-21')
    assert.deepEqual([headers['api-key'], headers.authorization], [KEY, undefined])
    assert.deepEqual(body, { input: ['gas'] })
  })

  test('documents are tried again, after the time that the endpoint asks for; queries are not', async () => {
    await using endpoint = await openFixtureEndpoint()
    const { embedder, waits } = open(endpoint)
    endpoint.next.push(sendError(429, 'slow down', { 'retry-after': '3' }), sendError(503, 'busy'))
    assert.equal((await embedder.embed(['gas'], 'document', NEVER)).length, 1)
    assert.deepEqual(waits, [3_000, 1_000])
    endpoint.next.push(sendError(429, 'slow down', { 'retry-after': '120' }))
    const patient = embedder.embed(['gas'], 'document', NEVER)
    await assert.rejects(patient, { name: 'EmbedderUnavailable', retryAfterMs: 120_000 })
    endpoint.next.push(sendError(500, 'oh'))
    await assert.rejects(embedder.embed(['gas'], 'query', NEVER), /answered 500: oh/)
    assert.equal(waits.length, 2)
  })

  test('after repeated failures it is left alone, for longer each time, until it answers', async () => {
    await using endpoint = await openFixtureEndpoint()
    const { embedder, clock, changes } = open(endpoint)
    const ask = () => embedder.embed(['gas'], 'query', NEVER)
    endpoint.next.push(...Array.from({ length: 6 }, () => sendError(500, 'oh')))
    for (let i = 0; i < 5; i++) await assert.rejects(ask(), /answered 500/)
    await assert.rejects(ask(), { message: /failed repeatedly/, retryAfterMs: 1_000 })
    assert.equal(endpoint.requests.length, 5)
    clock.nowMs = 1_000
    await assert.rejects(ask(), /answered 500/)
    clock.nowMs = 2_999
    await assert.rejects(ask(), /failed repeatedly/)
    clock.nowMs = 3_000
    // Only one call tries; the other one is refused.
    const [first, second] = await Promise.allSettled([ask(), ask()])
    assert.deepEqual([first.status, second.status], ['fulfilled', 'rejected'])
    await ask()
    assert.deepEqual(changes, ['true Embedder "endpoint": it answered 500: oh 1000', 'false  0'])
  })

  test('a refused text has no vector, but an endpoint that refuses every text is unavailable', async () => {
    await using endpoint = await openFixtureEndpoint()
    const { embedder } = open(endpoint)
    const vectors = await embedder.embed(['gas', 'lamp', ' ', 'stove'], 'document', NEVER)
    assert.deepEqual(
      vectors.map((vector) => vector !== undefined),
      [true, true, false, true],
    )
    endpoint.next.push(...Array.from({ length: 2 }, () => sendError(400, 'no such model')))
    const refused = embedder.embed(['gas'], 'document', NEVER)
    await assert.rejects(refused, { name: 'EmbedderUnavailable', message: /no such model/ })
  })

  test('no message has the key, and what the endpoint says is cut', async () => {
    await using endpoint = await openFixtureEndpoint()
    const { embedder } = open(endpoint, { apiKey: KEY })
    for (const status of [401, 404, 500]) {
      endpoint.next.push(sendError(status, `your key ${KEY}\n is wrong${'!'.repeat(1_000)}`))
      await assert.rejects(embedder.embed(['gas'], 'query', NEVER), ({ message }: Error) => {
        assert.match(message, RegExp(`answered ${status}`))
        assert.doesNotMatch(message, /sk-a|\n/)
        return message.length < 300
      })
    }
  })

  test('nonsense is unavailable: wrong shapes, lengths, too much, redirects', async () => {
    await using endpoint = await openFixtureEndpoint()
    const { embedder } = open(endpoint)
    const one = [1, 0, 0, 0, 0, 0, 0, 0]
    const answers: [unknown, RegExp][] = [
      [null, /no list "data"/],
      [{ data: [] }, /no list "data" of 1/],
      [{ data: [null] }, /not lists of numbers/],
      [{ data: [{ embedding: 'AAAA' }] }, /not lists of numbers/],
      [{ data: [{ embedding: [...one.slice(1), null] }] }, /not lists of numbers/],
      [{ data: [{ embedding: one.slice(1) }] }, /7 dimensions, but 8/],
      [{ data: [{ index: 7, embedding: one }] }, /wrong indexes for the vectors/],
      [{ data: [{ index: '0', embedding: one }] }, /wrong indexes for the vectors/],
      [{ data: 'x'.repeat(200_000) }, /more than \d+ bytes/],
    ]
    for (const [answer, expected] of answers) {
      endpoint.next.push(sendJson(200, answer))
      const message = { name: 'EmbedderUnavailable', message: expected }
      await assert.rejects(embedder.embed(['gas'], 'query', NEVER), message)
      // A good answer, so that it is not left alone.
      await embedder.embed(['gas'], 'query', NEVER)
    }
    const before = endpoint.requests.length
    endpoint.next.push(sendJson(307, {}, { location: `${endpoint.url}/embeddings` }))
    await assert.rejects(embedder.embed(['gas'], 'query', NEVER), { name: 'EmbedderUnavailable' })
    assert.equal(endpoint.requests.length, before + 1, 'a redirect is not followed')
    endpoint.next.push(sendJson(200, { data: [{ embedding: one.map(() => 0) }] }))
    assert.deepEqual(await embedder.embed(['gas'], 'query', NEVER), [undefined])
  })

  test('an endpoint that does not answer is unavailable', async () => {
    await using endpoint = await openFixtureEndpoint()
    endpoint.next.push(() => undefined)
    const slow = open(endpoint, { timeoutMs: 20 }).embedder.embed(['gas'], 'query', NEVER)
    await assert.rejects(slow, /no answer within 20 ms/)
    const closed = await openFixtureEndpoint()
    await closed[Symbol.asyncDispose]()
    const nobody = open(closed).embedder.embed(['gas'], 'query', NEVER)
    await assert.rejects(nobody, /no connection \(ECONNREFUSED\)/)
  })
})
