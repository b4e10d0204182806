import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TracedRequest } from '../../ports/host/request-tracer.ts'
import { createTestApp, fillStore } from './test-app.ts'

test('a traced request has the route, its stages in order within its time, and nothing of what was asked', async () => {
  const traced: TracedRequest[] = []
  await using app = await createTestApp({}, { tracer: { record: (one) => traced.push(one) } })
  const store = await app.createStore('shop')
  await fillStore(app, store)
  traced.length = 0
  const headers = { ...store.read, traceparent: '00-aa-bb-01', 'x-request-id': 'mine' }
  const body = { q: 'Red secretshoe', cache_results: true }
  const send = (url: string, of: object) => app.call({ method: 'POST', url, headers, body: of })
  await send('/v1/search', body)
  await send('/v1/search', body)
  await send('/v1/multi-search', { queries: [{ q: 'x' }, { q: 1 }, { q: 'y' }] })
  await send('/v1/search', { q: 1 })
  await app.call({ url: '/nowhere/at/all' })
  assert.deepEqual(
    traced.map(({ route, status, stages }) => [
      route,
      status,
      stages.map(({ name }) => name).join(),
    ]),
    [
      ['/v1/search', 200, 'plan,execute,present'],
      ['/v1/search', 200, 'repeat'],
      ['/v1/multi-search', 200, 'plan,execute,present,plan,execute,present'],
      ['/v1/search', 400, ''],
      ['unmatched', 404, ''],
    ],
  )
  const [first] = traced
  assert.deepEqual(
    [first!.storeId, first!.requestId, first!.traceparent],
    ['shop', 'mine', '00-aa-bb-01'],
  )
  for (const { startMs, endMs, stages } of traced) {
    let beforeMs = startMs
    for (const stage of stages) {
      assert.ok(beforeMs <= stage.startMs && stage.startMs <= stage.endMs)
      assert.ok(stage.endMs <= endMs + 1)
      beforeMs = stage.endMs - 0.001
    }
  }
  assert.doesNotMatch(JSON.stringify(traced), /secretshoe/i)
  assert.ok(!JSON.stringify(traced).includes(store.readSecret))
})
