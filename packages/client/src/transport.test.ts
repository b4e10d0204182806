import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { AisleClient, MissingSecretError, type RefusedError, UnreachableError } from './index.ts'
import { linesOf } from './ndjson.ts'

/** A client whose service gives these answers, one after another. */
function clientOf(...answers: (Response | Error)[]) {
  const waits: number[] = []
  const requests: { url: string; method: string; headers: Headers }[] = []
  const client = new AisleClient({
    url: 'http://shop.test/',
    adminToken: 'at_1',
    writeSecret: 'ws_1',
    sleep: (ms) => Promise.resolve(void waits.push(ms)),
    fetch: ((url: URL, init: RequestInit) => {
      requests.push({
        url: String(url),
        method: init.method ?? '',
        headers: new Headers(init.headers),
      })
      const answer = answers.shift()
      if (answer === undefined) throw new Error('one request too many')
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
    }) as typeof fetch,
  })
  return { client, waits, requests }
}

const json = (body: unknown, status = 200, headers = {}) => Response.json(body, { status, headers })
const busy = (seconds: string) =>
  json({ error: 'busy', code: 'unavailable' }, 503, { 'retry-after': seconds })

suite('the client', () => {
  test('sends the secret that a route asks for', async () => {
    const { client, requests } = clientOf(json({ stores: [] }), json({ found: 0 }))
    await client.stores()
    await client.store('shop').search({ q: '*' })
    assert.equal(requests[0]?.url, 'http://shop.test/api/v1/admin/stores')
    assert.equal(requests[0]?.headers.get('authorization'), 'Bearer at_1')
    assert.equal(requests[1]?.headers.get('x-store-write-secret'), 'ws_1')
    assert.equal(requests[1]?.headers.get('authorization'), null)
  })

  test('in a page of the service sends the token of the session instead of secrets', async () => {
    const requests: Headers[] = []
    const client = new AisleClient({
      url: 'http://shop.test',
      csrfToken: 'token',
      fetch: ((_: URL, init: RequestInit) => {
        requests.push(new Headers(init.headers))
        return Promise.resolve(json({ stores: [] }))
      }) as typeof fetch,
    })
    await client.stores()
    await client.store('shop').search({ q: '*' })
    assert.deepEqual(
      requests.map((headers) => headers.get('x-csrf-token')),
      ['token', 'token'],
    )
    assert.equal(requests[1]?.get('x-storeid'), 'shop')
    assert.equal(requests[0]?.get('authorization'), null)
  })

  test('waits as long as a busy service asks, then sends again', async () => {
    const { client, waits } = clientOf(busy('3'), busy('600'), json({ name: 'x' }))
    await client.createSnapshot()
    assert.deepEqual(waits, [3_000, 10_000])
  })

  test('gives up after some time, with what the service said', async () => {
    const { client, waits } = clientOf(...Array.from({ length: 5 }, () => busy('1')))
    await assert.rejects(client.stores(), (error: RefusedError) => error.code === 'unavailable')
    assert.equal(waits.length, 4)
  })

  test('repeats an unanswered read, and no unanswered write', async () => {
    const lost = () =>
      Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } })
    const reading = clientOf(lost(), json({ stores: [] }))
    await reading.client.stores()
    assert.equal(reading.requests.length, 2)
    const writing = clientOf(lost())
    await assert.rejects(writing.client.createSnapshot(), UnreachableError)
    assert.equal(writing.requests.length, 1)
  })

  test('an error that is not ours has the status at least', async () => {
    const { client } = clientOf(new Response('<html>', { status: 502 }))
    await assert.rejects(client.stores(), /answered 502/)
  })

  test('a missing secret is a distinct error', async () => {
    const client = new AisleClient({ url: 'http://shop.test' })
    await assert.rejects(client.stores(), MissingSecretError)
  })

  test('a write over a version that was read names its tag', async () => {
    const tagged = json({ name: 'p', value: { per_page: 1 } }, 200, { etag: '"one"' })
    const { client, requests } = clientOf(tagged, json({}), json({}))
    const store = client.store('shop')
    const { value, etag } = await store.taggedResource('presets', 'p')
    assert.deepEqual(value, { value: { per_page: 1 } })
    await store.putResource('presets', 'p', value, etag)
    await store.putResource('presets', 'p', value)
    const sent = requests.map(({ headers }) => headers.get('if-match'))
    assert.deepEqual(sent, [null, '"one"', null])
  })

  test('a write returns the tag of what is stored now', async () => {
    const written = () => json({ id: 'a', status: 'updated' }, 200, { etag: '"two"' })
    const { client, requests } = clientOf(written(), written(), json({}))
    const store = client.store('shop')
    const { id, etag } = await store.index({ id: 'a', data: {} })
    assert.deepEqual([id, etag], ['a', '"two"'])
    assert.equal(await store.putResource('presets', 'p', {}), '"two"')
    await store.deleteResource('presets', 'p', etag)
    assert.equal(requests.at(-1)!.headers.get('if-match'), '"two"')
  })

  test('a document is read exactly, with its tag', async () => {
    const text = '{"id":"a","data":{"sku":9007199254740993}}'
    const tagged = new Response(text, { headers: { etag: '"one"' } })
    const { client, requests } = clientOf(tagged, json({}), json({}), json({}))
    const store = client.store('shop')
    const { value, etag } = await store.taggedDocument('a')
    assert.equal(JSON.stringify(value), text)
    await store.index({ id: 'a', data: value.data }, etag)
    await store.deleteDocument('a', etag)
    await store.deleteDocument('a')
    const sent = requests.map(({ headers }) => headers.get('if-match'))
    assert.deepEqual(sent, [null, '"one"', '"one"', null])
  })

  test('names go into paths as they are', async () => {
    const { client, requests } = clientOf(json({}))
    await client.store('shop').deleteResource('presets', 'a/b ?')
    assert.match(requests[0]?.url ?? '', /\/presets\/a%2Fb%20%3F$/)
  })
})

test('lines are put together across chunks, whatever they cut', async () => {
  const bytes = Buffer.from('{"a":"é"}\n\n{"b":1}\n{"c":2}')
  for (let size = 1; size < bytes.length; size++) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.subarray(i * size, (i + 1) * size),
    )
    const lines = await Array.fromAsync(linesOf(stream(chunks)))
    assert.deepEqual(lines, ['{"a":"é"}', '{"b":1}', '{"c":2}'])
  }
})

async function* stream(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}
