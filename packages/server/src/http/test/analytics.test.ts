import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import type { AddressInfo } from 'node:net'
import type { VisitorEvent } from '@aisle/event-log'
import { createTestApp, fillStore } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const { app, call, time } = testApp
const store = await testApp.createStore('shop')
await fillStore(testApp, store)
const stored = async (): Promise<VisitorEvent[]> =>
  (await testApp.eventsOf('shop')).filter((one) => one.kind === 'event')

const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  call({ method: 'POST', url, body, headers: { ...store.read, ...headers } })

const GOOD: Record<string, object> = {
  search: { query: 'tent', total_results: 0, page: 1, filters_applied: { brand: 'x' } },
  click: { query: 'tent', document_id: '1', position: 3, analytics_tags: ['mobile'] },
  conversion: { order_id: 'o', revenue: 12.5, currency: 'EUR' },
  custom: { name: 'wishlist', metadata: { colour: 'red' } },
}

suite('the simple form', () => {
  for (const [eventType, data] of Object.entries(GOOD)) {
    test(`a ${eventType} is taken with the identity of the headers`, async () => {
      const answer = await post(
        '/analytics/event',
        { event_type: eventType, data, timestamp: '2025-12-31T10:00:00+02:00' },
        { 'x-user-id': 'u', 'x-anon-id': 'a', 'x-session-id': 's' },
      )
      assert.equal(answer.statusCode, 200, answer.body)
      const event = (await stored()).at(-1)
      assert.deepEqual(answer.json(), { status: 'accepted', event_id: event?.messageId })
      assert.equal(event?.name, eventType)
      assert.deepEqual(event?.properties, data)
      assert.equal(event?.atMs, Date.UTC(2025, 11, 31, 8))
      const { userId, anonymousId, sessionId } = event.visitor
      assert.deepEqual([userId, anonymousId, sessionId], ['u', 'a', 's'])
    })
  }

  const bad: Record<string, [unknown, string | undefined]> = {
    'not an object': [[], undefined],
    'no type': [{ data: {} }, 'event_type'],
    'an unknown type': [{ event_type: 'view', data: {} }, 'event_type'],
    'no data': [{ event_type: 'click' }, 'data'],
    'data a text': [{ event_type: 'click', data: 'x' }, 'data'],
    'a search without query': [{ event_type: 'search', data: {} }, 'data.query'],
    'a click without query': [{ event_type: 'click', data: { document_id: '1' } }, 'data.query'],
    'a click without document': [{ event_type: 'click', data: { query: 'q' } }, 'data.document_id'],
    'a conversion of nothing': [{ event_type: 'conversion', data: {} }, 'data.document_id'],
    'a custom one without name': [{ event_type: 'custom', data: {} }, 'data.name'],
    'query a number': [{ event_type: 'search', data: { query: 5 } }, 'data.query'],
    'position a text': [
      { event_type: 'click', data: { query: 'q', document_id: '1', position: '2' } },
      'data.position',
    ],
    'revenue a text': [
      { event_type: 'conversion', data: { order_id: '1', revenue: '2' } },
      'data.revenue',
    ],
    'a time that is none': [
      { event_type: 'search', data: { query: 'q' }, timestamp: 'noon' },
      'timestamp',
    ],
    'an ancient one': [
      { event_type: 'search', data: { query: 'q' }, timestamp: '2020-01-01T00:00:00Z' },
      'timestamp',
    ],
    'too large': [{ event_type: 'search', data: { query: 'q', x: 'y'.repeat(33_000) } }, undefined],
  }
  for (const [what, [event, param]] of Object.entries(bad)) {
    test(`refuses exactly what validate calls an error: ${what}`, async () => {
      const before = (await stored()).length
      const refused = await post('/analytics/event', event)
      assert.equal(refused.statusCode, 400)
      assert.equal(refused.json().code, 'invalid_event')
      assert.equal(refused.json().param, param)
      const verdict = (await post('/analytics/validate', event)).json()
      assert.equal(verdict.valid, false)
      const messages = (refused.json().details as { message: string }[] | undefined) ?? []
      if (messages.length > 0) {
        assert.deepEqual(
          verdict.errors,
          messages.map(({ message }) => message),
        )
      }
      const batch = await post('/analytics/batch', {
        events: [event, { event_type: 'search', data: { query: 'ok' } }],
      })
      assert.deepEqual([batch.json().accepted, batch.json().rejected], [1, 1])
      assert.equal((await stored()).length, before + 1)
    })
  }

  test('validate warns of what is missing, and keeps nothing', async () => {
    const before = (await stored()).length
    const event = { event_type: 'search', data: { query: 'q' } }
    const alone = (await post('/analytics/validate', event)).json()
    assert.equal(alone.valid, true)
    assert.equal(alone.errors, undefined)
    assert.match(alone.warnings.join(), /timestamp.*x-anon-id/s)
    const whole = { ...event, timestamp: new Date(time.nowMs).toISOString() }
    const full = await post('/analytics/validate', whole, { 'x-anon-id': 'a' })
    assert.deepEqual(full.json(), { valid: true, warnings: [] })
    assert.equal((await stored()).length, before)
  })

  test('a batch holds at most 100 events', async () => {
    const events = (count: number): object => ({
      events: Array.from({ length: count }, () => ({ event_type: 'search', data: { query: 'q' } })),
    })
    assert.equal((await post('/analytics/batch', events(100))).json().accepted, 100)
    const tooMany = await post('/analytics/batch', events(101))
    assert.deepEqual([tooMany.statusCode, tooMany.json().param], [400, 'events'])
    assert.equal((await post('/analytics/batch', {})).json().code, 'missing_parameter')
    assert.equal((await post('/analytics/batch', events(0))).json().accepted, 0)
  })

  test('an event that is sent twice under one message id counts once', async () => {
    const before = (await stored()).length
    const event = { event_type: 'search', data: { query: 'q' }, message_id: 'retry-1' }
    for (let i = 0; i < 2; i++) {
      assert.equal((await post('/analytics/event', event)).json().event_id, 'retry-1')
    }
    assert.equal((await stored()).length, before + 1)
  })
})

suite('searches leave events', () => {
  test('one for each executed search, with what reports need, under the id of the answer', async () => {
    const before = (await stored()).length
    const answer = await post(
      '/v1/search',
      { q: 'shoe', filter_by: 'price:<95', page: 1, analytics_tags: ['web'] },
      { 'x-session-id': 's-9' },
    )
    const { search_id: searchId, found } = answer.json()
    const [event] = (await stored()).slice(before)
    assert.equal((await stored()).length, before + 1)
    assert.deepEqual([event?.name, event?.source], ['search', 'server'])
    assert.equal(event?.visitor.sessionId, 's-9')
    const { took_ms: tookMs, ...rest } = event?.properties ?? {}
    assert.ok(typeof tookMs === 'number')
    assert.deepEqual(rest, {
      search_id: searchId,
      query: 'shoe',
      total_results: found,
      page: 1,
      filters_applied: { filter_by: 'price:<95' },
      analytics_tags: ['web'],
    })
    await call({ url: '/v1/search?q=mug', headers: store.read })
    assert.equal((await stored()).length, before + 2)
    await post('/v1/search', { q: 5 })
    assert.equal((await stored()).length, before + 2)
    await post('/v1/search', { q: 'shoe', analytics: false, cache_results: true })
    await post('/v1/search', { q: 'shoe', analytics: false, cache_results: true })
    await call({ url: '/v1/search?q=mug&analytics=false', headers: store.read })
    assert.equal((await stored()).length, before + 2, 'a search may ask to leave none')
    const cached = await post('/v1/search', { q: 'shoe', cache_results: true })
    assert.deepEqual([cached.json().cached, (await stored()).length], [true, before + 3])
  })
})

suite('the live tail', () => {
  test('shows each event with its verdict, to holders of the write secret', async () => {
    await app.listen({ port: 0 })
    const { port } = app.server.address() as AddressInfo
    const abort = new AbortController()
    const stream = await fetch(
      `http://127.0.0.1:${port}/api/v1/stores/shop/analytics/events/tail`,
      { headers: store.write, signal: abort.signal },
    )
    assert.equal(stream.headers.get('content-type'), 'text/event-stream; charset=utf-8')
    const event = { event_type: 'search', data: { query: 'seen' }, message_id: 'tail-1' }
    await post('/analytics/batch', { events: [event, event, { event_type: 'nope', data: {} }] })
    let text = ''
    for await (const chunk of stream.body!) {
      text += Buffer.from(chunk).toString()
      if (/tail-1[^]*tail-1[^]*invalid/.test(text)) break
    }
    abort.abort()
    const lines = [...text.matchAll(/^data: (.+)$/gm)]
      .map((match) => JSON.parse(match[1] ?? '') as Record<string, unknown>)
      .filter(({ message_id: id, verdict }) => id === 'tail-1' || verdict === 'invalid')
      .slice(-3)
    assert.deepEqual(
      lines.map(({ verdict }) => verdict),
      ['accepted', 'duplicate', 'invalid'],
    )
    assert.deepEqual(lines[0]?.['properties'], { query: 'seen' })
    assert.match(String(lines[2]?.['reasons']), /event_type/)
    // One that begins later gets what came before, and what is missing in an accepted event.
    const click = {
      type: 'track',
      event: 'Object Clicked',
      messageId: 'tail-click',
      anonymousId: 'a',
      timestamp: new Date().toISOString(),
      properties: { position: 'first' },
    }
    const sentAt = new Date().toISOString()
    const keyAnswer = await call({
      url: '/api/v3/account/analytics/writekey',
      headers: store.write,
    })
    const { writeKey } = keyAnswer.json() as { writeKey: string }
    await call({
      method: 'POST',
      url: '/v1/b',
      body: { writeKey, sentAt, batch: [click] },
    })
    const late = new AbortController()
    const later = await fetch(`http://127.0.0.1:${port}/api/v1/stores/shop/analytics/events/tail`, {
      headers: store.write,
      signal: late.signal,
    })
    text = ''
    for await (const chunk of later.body!) {
      text += Buffer.from(chunk).toString()
      if (text.includes('tail-click')) break
    }
    late.abort()
    assert.match(text, /event: recent\ndata: .*"message_id":"tail-1"/)
    assert.match(text, /event: recent\ndata: .*event_type/)
    assert.match(text, /`properties.position` must be a whole number from 1, received \\"first\\"/)
  })
})
