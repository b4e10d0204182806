import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { QUERY_VECTORS_WAITING_PER_STORE_MAX } from '@aisle/contract'
import { EmbedderUnavailable, type Embedder } from '../../ports/search/embedder.ts'
import { QueryLine } from './query-line.ts'
import { VectorCache } from './vector-cache.ts'

/** A line over an embedder whose calls the test settles. */
function openLine({ lanes = 1, batchMax = 1, cacheBytes = 1e6 } = {}) {
  const clock = { nowMs: 0 }
  const calls: { texts: readonly string[]; settle: (error?: Error) => void }[] = []
  const embedder: Embedder = {
    name: 'fixture',
    fingerprint: '',
    dimensions: 8,
    embed: (texts) =>
      new Promise((resolve, reject) => {
        const vectors = texts.map((text) =>
          text === 'refused' ? undefined : new Float32Array(8).fill(text.length),
        )
        calls.push({
          texts,
          settle: (error) => (error === undefined ? resolve(vectors) : reject(error)),
        })
      }),
  }
  const cache = new VectorCache(cacheBytes)
  const line = new QueryLine({ embedder, cache, lanes, batchMax, nowMs: () => clock.nowMs })
  return { line, clock, calls, cache }
}

/** Settles calls until none is left. @returns their texts, in order */
async function drain(calls: ReturnType<typeof openLine>['calls']): Promise<string[]> {
  const texts: string[] = []
  await new Promise(setImmediate)
  for (let call = calls.shift(); call !== undefined; call = calls.shift()) {
    texts.push(...call.texts)
    call.settle()
    await new Promise(setImmediate)
  }
  return texts
}

suite('the line of queries of an embedder', () => {
  test('a flood of one store does not delay another', async () => {
    const { line, calls } = openLine()
    for (let i = 0; i < 40; i++) void line.ask('loud', `loud ${i}`, 1_000)
    void line.ask('quiet', 'quiet 0', 1_000)
    void line.ask('quiet', 'quiet 1', 1_000)
    const order = await drain(calls)
    assert.equal(order.length, 42)
    assert.ok(order.indexOf('quiet 0') <= 2, String(order))
    assert.ok(order.indexOf('quiet 1') <= 4, String(order))
  })

  test('equal queries are embedded once, then cached', async () => {
    const { line, calls } = openLine()
    const asked = ['a', 'b', 'c'].map((store) => line.ask(store, 'stove', 1_000))
    assert.deepEqual(await drain(calls), ['stove'])
    for (const answer of await Promise.all(asked)) {
      assert.deepEqual(answer, {
        kind: 'vector',
        vector: new Float32Array(8).fill(5),
        isCached: false,
      })
    }
    const again = await line.ask('d', 'stove', 0)
    assert.equal(again.kind === 'vector' && again.isCached, true)
    assert.equal(calls.length, 0)
  })

  test('queries that wait are embedded together', async () => {
    const { line, calls } = openLine({ batchMax: 3 })
    for (let i = 0; i < 5; i++) void line.ask(`store ${i}`, `query ${i}`, 1_000)
    assert.deepEqual(calls[0]?.texts, ['query 0'])
    calls.shift()!.settle()
    await new Promise(setImmediate)
    assert.deepEqual(calls[0]?.texts, ['query 1', 'query 2', 'query 3'])
    await drain(calls)
  })

  test('a query that nobody waits for is not embedded; one that has begun is cached', async () => {
    const { line, clock, calls } = openLine()
    const begun = line.ask('a', 'begun', 50)
    const late = line.ask('a', 'late', 50)
    const joined = line.ask('b', 'joined', 50)
    clock.nowMs = 40
    void line.ask('c', 'joined', 50)
    clock.nowMs = 60
    assert.deepEqual(await drain(calls), ['begun', 'joined'])
    assert.deepEqual(await late, { kind: 'skipped', reason: 'slow' })
    assert.equal((await begun).kind, 'vector')
    assert.equal((await joined).kind, 'vector', 'the one who asked last still waits')
    assert.equal((await line.ask('a', 'begun', 0)).kind, 'vector')
  })

  test('a store that has too many waiting is refused, another one is not', async () => {
    const { line, calls } = openLine()
    const asked = Array.from({ length: QUERY_VECTORS_WAITING_PER_STORE_MAX + 2 }, (_, i) =>
      line.ask('loud', `query ${i}`, 1_000),
    )
    assert.deepEqual(await asked.at(-1), { kind: 'skipped', reason: 'busy' })
    const other = line.ask('quiet', 'other', 1_000)
    await drain(calls)
    assert.equal((await other).kind, 'vector')
    assert.equal((await asked[0]!).kind, 'vector')
  })

  test('a refused text and an unavailable embedder are skipped, and neither is cached', async () => {
    const { line, calls, cache } = openLine()
    const refused = line.ask('a', 'refused', 1_000)
    await drain(calls)
    assert.deepEqual(await refused, { kind: 'skipped', reason: 'refused' })
    const down = line.ask('a', 'stove', 1_000)
    calls.shift()!.settle(new EmbedderUnavailable('down'))
    assert.deepEqual(await down, { kind: 'skipped', reason: 'unavailable' })
    assert.equal(cache.bytes, 0)
    const again = line.ask('a', 'stove', 1_000)
    await drain(calls)
    assert.equal((await again).kind, 'vector')
  })
})

test('the cache of vectors is bounded in bytes and evicts the least recently used', () => {
  const cache = new VectorCache(1_000)
  const vector = new Float32Array(8)
  for (const text of ['one', 'two', 'three']) cache.set(text, vector)
  assert.equal(cache.get('one'), vector)
  for (const text of ['four', 'five', 'four']) cache.set(text, vector)
  assert.ok(cache.bytes <= 1_000)
  assert.equal(cache.get('two'), undefined)
  assert.equal(cache.get('one'), vector)
  cache.set('x', new Float32Array(10_000))
  assert.equal(cache.get('x'), undefined, 'larger than the cache')
  assert.equal(cache.bytes, 0)
})
