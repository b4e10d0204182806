import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { RefusedError, SearchClient, TimedOutError, UnreachableError } from './search-entry.ts'
import type { SearchClientOptions } from './search-entry.ts'

type Host = (signal: AbortSignal) => Promise<Response>

/** A client of hosts a, b and c, and whom it asked. */
function clientOf(
  hosts: Readonly<Record<string, Host>>,
  options: Partial<SearchClientOptions> = {},
) {
  const asked: string[] = []
  const client = new SearchClient({
    url: Object.keys(hosts).map((name) => `http://${name}.test`),
    storeId: 'shop',
    readSecret: 'rs_1',
    sleep: () => Promise.resolve(),
    fetch: ((url: URL, { signal }: { signal: AbortSignal }) => {
      const [name = ''] = url.hostname.split('.')
      asked.push(name)
      return hosts[name]!(signal)
    }) as unknown as typeof fetch,
    ...options,
  })
  return { client, asked }
}

const answers: Host = () => Promise.resolve(Response.json({ found: 1, hits: [] }))
const fails: Host = () => Promise.reject(new TypeError('fetch failed'))
const refuses =
  (status: number, code: string): Host =>
  () =>
    Promise.resolve(Response.json({ error: code, code }, { status }))
/** Until it is given up. */
const hangs: Host = (signal) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))

suite('several hosts', () => {
  test('the first is asked as long as it answers', async () => {
    const { client, asked } = clientOf({ a: answers, b: answers })
    await client.search({ q: 'one' })
    await client.search({ q: 'two' })
    assert.deepEqual(asked, ['a', 'a'])
  })

  test('one that fails is left, and not asked again', async () => {
    for (const down of [fails, refuses(503, 'unavailable'), refuses(502, 'proxy')]) {
      const { client, asked } = clientOf({ a: down, b: answers })
      assert.equal((await client.search({ q: 'one' })).found, 1)
      await client.search({ q: 'two' })
      assert.deepEqual(asked, ['a', 'b', 'b'])
    }
  })

  test('a slow one is overtaken by the next, and given up', async () => {
    let isGivenUp = false
    const slow: Host = async (signal) => {
      signal.addEventListener('abort', () => (isGivenUp = true))
      return hangs(signal)
    }
    const { client, asked } = clientOf({ a: slow, b: answers }, { hedgeAfterMs: 1 })
    assert.equal((await client.search({ q: 'one' })).found, 1)
    assert.deepEqual(asked, ['a', 'b'])
    assert.ok(isGivenUp)
    await client.search({ q: 'two' })
    assert.deepEqual(asked, ['a', 'b', 'b'])
  })

  test('what the next one refuses is not asked of the slow one to the end', async () => {
    const hosts = { a: hangs, b: refuses(400, 'unknown_field') }
    const { client } = clientOf(hosts, { hedgeAfterMs: 1, retries: 0, timeoutMs: 2_000 })
    await assert.rejects(
      client.search({ q: 'one', sort_by: 'prise:asc' }),
      (error: RefusedError) => error.code === 'unknown_field',
    )
  })

  test('a fault of the request is the same everywhere: nobody else is asked', async () => {
    const { client, asked } = clientOf({ a: refuses(400, 'unknown_field'), b: answers })
    await assert.rejects(
      client.search({ q: 'one', sort_by: 'prise:asc' }),
      (error: RefusedError) => error.code === 'unknown_field',
    )
    assert.deepEqual(asked, ['a'])
  })

  test('when all of them fail, the caller hears of it, after all retries', async () => {
    const { client, asked } = clientOf({ a: fails, b: fails }, { retries: 3 })
    await assert.rejects(client.search({ q: 'one' }), UnreachableError)
    assert.deepEqual(asked, ['a', 'b', 'a', 'b'])
  })

  test('a used up quota is not asked again', async () => {
    const { client, asked } = clientOf({ a: refuses(429, 'quota_exceeded') })
    await assert.rejects(client.search({ q: 'one' }), RefusedError)
    assert.deepEqual(asked, ['a'])
  })
})

test('a search that takes too long fails', async () => {
  const { client } = clientOf({ a: hangs }, { timeoutMs: 1, retries: 0 })
  await assert.rejects(client.search({ q: 'one' }), TimedOutError)
})

test('who gives a search up hears why, also while it waits for a retry', async () => {
  const giveUp = AbortSignal.timeout(1)
  const { client } = clientOf({ a: hangs })
  await assert.rejects(client.search({ q: 'one' }, { signal: giveUp }), { name: 'TimeoutError' })
  const busy = clientOf({ a: refuses(429, 'rate_limited') }, { sleep: undefined })
  const signal = AbortSignal.timeout(1)
  await assert.rejects(busy.client.search({ q: 'one' }, { signal }), { name: 'TimeoutError' })
})
