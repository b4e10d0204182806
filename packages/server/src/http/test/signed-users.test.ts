import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, suite, test } from 'node:test'
import { ADMIN_TOKEN, createTestApp, fillStore } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const { app, call, time } = testApp
const bearer = { authorization: `Bearer ${ADMIN_TOKEN}` }
const KEYS = '/api/v1/admin/stores/shop/keys'
const store = await testApp.createStore('shop')
await fillStore(testApp, store)

const sign = (userId: string, secret: string) =>
  createHmac('sha256', secret).update(userId).digest('hex')
const rotate = async (graceSeconds: number): Promise<string> => {
  const body = { grace_seconds: graceSeconds }
  const answer = await call({
    method: 'POST',
    url: `${KEYS}/signing/rotate`,
    headers: bearer,
    body,
  })
  return answer.json().secret
}
const identity = (value: string | null) =>
  call({
    method: 'PATCH',
    url: '/api/v1/stores/shop/settings',
    headers: store.write,
    body: { identity: value },
  })
/** User ids of the newest entries of the event log. */
const users = async (count: number) =>
  (await testApp.eventsOf('shop')).slice(-count).map(({ visitor }) => visitor.userId)

async function seenAs(headers: Record<string, string>): Promise<string | undefined> {
  const all = { ...store.read, 'x-anon-id': 'browser', ...headers }
  const found = await call({ method: 'POST', url: '/v1/search', headers: all, body: { q: 'shoe' } })
  assert.equal(found.statusCode, 200)
  const body = { event_type: 'search', data: { query: 'shoe' } }
  const sent = await call({ method: 'POST', url: '/analytics/event', headers: all, body })
  assert.equal(sent.statusCode, 200)
  const [ofSearch, ofEvent] = await users(2)
  assert.equal(ofSearch, ofEvent)
  return ofSearch
}

suite('the id of a user', () => {
  test('counts as it is, until the store asks for signatures; then not without a secret', async () => {
    assert.equal(await seenAs({ 'x-user-id': 'ada' }), 'ada')
    assert.equal((await identity('signed')).json().identity, 'signed')
    assert.equal(await seenAs({ 'x-user-id': 'ada' }), undefined)
    for (const secret of ['', store.readSecret, 'undefined']) {
      const headers = { 'x-user-id': 'ada', 'x-user-signature': sign('ada', secret) }
      assert.equal(await seenAs(headers), undefined)
    }
    assert.equal((await identity('maybe')).statusCode, 400)
  })

  test('counts with the signature of that id, with the old secret as long as its grace lasts', async () => {
    const first = await rotate(60)
    assert.match(first, /^ss_[\w-]{43}$/)
    const as = (userId: string, signature: string) =>
      seenAs({ 'x-user-id': userId, 'x-user-signature': signature })
    assert.equal(await as('ada', sign('ada', first)), 'ada')
    assert.equal(await as('ada', sign('ada', first).toUpperCase()), 'ada')
    const wrong = ['', 'x', '0'.repeat(64), sign('eve', first), `${sign('ada', first)}00`]
    for (const signature of wrong) assert.equal(await as('ada', signature), undefined, signature)
    const accented = Buffer.from('zoë').toString('latin1')
    assert.equal(await as(accented, sign('zoë', first)), 'zoë')
    const second = await rotate(60)
    assert.equal(await as('ada', sign('ada', first)), 'ada')
    assert.equal(await as('ada', sign('ada', second)), 'ada')
    time.nowMs += 61_000
    assert.equal(await as('ada', sign('ada', first)), undefined)
    const third = await rotate(0)
    assert.equal(await as('ada', sign('ada', second)), undefined)
    assert.equal(await as('ada', sign('ada', third)), 'ada')
    const listed = await call({ url: KEYS, headers: bearer })
    assert.ok(!listed.body.includes(third), 'shown once')
    assert.deepEqual(
      listed.json().keys.map(({ kind }: { kind: string }) => kind),
      ['read', 'write', 'events', 'signing'],
    )
  })

  test('is left out of events whose body names it, unless the request signs for it', async () => {
    const secret = await rotate(0)
    const keys = (await call({ url: KEYS, headers: bearer })).json().keys
    const writeKey = keys.find(({ kind }: { kind: string }) => kind === 'events').secret
    let sent = 0
    const send = async (headers: Record<string, string>) => {
      const at = new Date(time.nowMs).toISOString()
      const event = (userId: string) => ({
        type: 'track',
        event: 'Object Clicked',
        messageId: `signed-${sent++}`,
        anonymousId: 'browser',
        timestamp: at,
        userId,
        properties: { search_id: 's', object_id: '1', position: 1 },
      })
      const body = { writeKey, sentAt: at, batch: [event('ada'), event('eve')] }
      const answer = await app.inject({ method: 'POST', url: '/v1/b', headers, payload: body })
      assert.deepEqual(answer.json(), { ok: true, okEvents: 2, receivedEvents: 2 }, answer.body)
      return await users(2)
    }
    assert.deepEqual(await send({}), [undefined, undefined])
    const wrong = { 'x-user-id': 'ada', 'x-user-signature': sign('eve', secret) }
    assert.deepEqual(await send(wrong), [undefined, undefined])
    const right = { 'x-user-id': 'ada', 'x-user-signature': sign('ada', secret) }
    assert.deepEqual(await send(right), ['ada', undefined])
    await identity(null)
    assert.deepEqual(await send({}), ['ada', 'eve'])
  })
})
