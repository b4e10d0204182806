import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { ServiceActivity, SlowSearch } from '@aisle/contract'
import { until } from '@aisle/testing'
import { ADMIN_TOKEN, createTestApp, type TestApp } from './test-app.ts'

const ADMIN = { authorization: `Bearer ${ADMIN_TOKEN}` }
const SLOW: SlowSearch = {
  at: '2026-01-01T00:00:00.000Z',
  store_id: 'shop',
  kind: 'search',
  took_ms: 412.5,
  found: 3,
  cut_off: true,
  q: 'tent of another shop',
}

async function readActivity(
  app: TestApp,
  headers: Record<string, string>,
): Promise<ServiceActivity> {
  return (await app.call({ url: '/api/v1/admin/activity', headers })).json()
}

suite('what the service is doing', () => {
  test('slow searches are for all who run it, what was searched for is for owners', async () => {
    await using app = await createTestApp()
    const store = await app.createStore('shop')
    const people = {
      owner: await app.logIn('olga@example.com', 'owner'),
      editor: await app.logIn('edith@example.com', 'editor'),
      analyst: await app.logIn('anna@example.com', 'analyst'),
    }
    app.app.activity.noteSlow(SLOW)
    await until('the slow search in the list', async () => {
      return (await readActivity(app, ADMIN)).slow_searches.length === 1
    })
    assert.deepEqual((await readActivity(app, ADMIN)).slow_searches, [SLOW])
    assert.deepEqual((await readActivity(app, people.owner)).slow_searches, [SLOW])
    for (const headers of [people.editor, people.analyst]) {
      const { q: _, ...rest } = SLOW
      assert.deepEqual((await readActivity(app, headers)).slow_searches, [rest])
    }
    for (const headers of [{}, store.read, store.write]) {
      const answer = await app.call({ url: '/api/v1/admin/activity', headers })
      assert.equal(answer.statusCode, 401)
    }
  })

  test('refused requests are counted by reason and store, other errors are not', async () => {
    await using app = await createTestApp({ rateLimitPerSecond: 1 })
    const store = await app.createStore('shop')
    const search = () => app.call({ url: '/v1/search?q=tent', headers: store.read })
    let limited = 0
    for (let i = 0; i < 6; i++) if ((await search()).statusCode === 429) limited++
    assert.ok(limited > 0)
    await until('the refusals in the list', async () => {
      app.time.nowMs += 10_000
      return (await readActivity(app, ADMIN)).refusals.some(({ count }) => count === limited)
    })
    app.time.nowMs += 10_000
    const { refusals, jobs } = await readActivity(app, ADMIN)
    assert.deepEqual(
      refusals.map(({ reason, status }) => [reason, status]),
      [['rate_limited', 429]],
    )
    assert.deepEqual(jobs, [])
  })
})
