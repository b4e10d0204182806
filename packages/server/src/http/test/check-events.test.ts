import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { generatedRuns } from '@aisle/testing'
import fc from 'fast-check'
import type { TailBatch } from '../../ports/events/event-log.ts'
import { createTestApp } from './test-app.ts'

const testApp = await createTestApp({ ingestAliases: true })
after(() => testApp[Symbol.asyncDispose]())
const { call, time } = testApp
const store = await testApp.createStore('shop')
const other = await testApp.createStore('other')
const keyOf = async (headers: Record<string, string>): Promise<string> =>
  (await call({ url: '/api/v3/account/analytics/writekey', headers })).json().writeKey
const writeKey = await keyOf(store.write)
const otherKey = await keyOf(other.write)
const now = (): string => new Date(time.nowMs).toISOString()
const owner = { storeId: 'shop', createdAt: now() }

const check = async (body: unknown, headers: Record<string, string> = store.write) => {
  const url = '/api/v1/stores/shop/analytics/events/check'
  return await call({ method: 'POST', url, headers, body: body as object })
}
const click = (more: object = {}): object => ({
  type: 'track',
  event: 'Object Clicked',
  anonymousId: 'a-1',
  messageId: 'm-1',
  timestamp: now(),
  properties: { object_id: '1' },
  ...more,
})

/** What the ingest makes of events, as the tail tells: accepted and duplicates, then refused. */
function verdictsOf(batches: readonly TailBatch[]): string[] {
  return batches.flatMap(({ entries, duplicates, refused }) => [
    ...entries.flatMap((entry, place) =>
      entry.kind === 'tally'
        ? []
        : [`${duplicates.includes(place) ? 'duplicate' : 'accepted'} ${entry.messageId}`],
    ),
    ...refused.map(({ verdict, name, reasons }) => `${verdict} ${name}: ${reasons.join()}`),
  ])
}

interface Verdict {
  readonly verdict: string
  readonly name: string
  readonly reasons: readonly string[]
  readonly event?: { readonly message_id: string; readonly timestamp: string }
}

const anything = fc.constantFrom<unknown>('', 'x', 7, null, {}, [], 'y'.repeat(300))
const canonical = fc
  .record(
    {
      type: fc.constantFrom<unknown>('track', 'track', 'track', 'page', 'identify', 'alias', 7),
      event: fc.constantFrom<unknown>('Object Clicked', 'Search Submitted', 'Cart Emptied', 3),
      anonymousId: fc.constantFrom<unknown>('a', 'b', null, 9),
      userId: fc.constantFrom<unknown>('u', '', undefined),
      messageId: fc.constantFrom<unknown>('1', '2', '3', '4', '5', '6', '', 8),
      timestamp: fc.constantFrom<unknown>(now(), '2020-01-01T00:00:00Z', 'soon', '2099-01-01'),
      writeKey: fc.constantFrom(undefined, undefined, writeKey, otherKey, 'unknown'),
      properties: fc.constantFrom<unknown>({}, { query: 'tent', session_id: 5 }, 'none'),
    },
    { requiredKeys: ['type', 'messageId', 'anonymousId', 'timestamp', 'event'] },
  )
  .map((event) => event as unknown)
const simple = fc
  .record(
    {
      event_type: fc.constantFrom<unknown>('search', 'click', 'conversion', 'custom', 'other', 1),
      data: fc.constantFrom<unknown>({ query: 'q', document_id: 'd', name: 'n' }, {}, 'none'),
      message_id: fc.constantFrom<unknown>('1', '2', '3', '4', '5', undefined, 7),
      timestamp: fc.constantFrom<unknown>(undefined, now(), 'soon', '2020-01-01T00:00:00Z'),
    },
    { requiredKeys: ['event_type', 'data'] },
  )
  .map((event) => event as unknown)

suite('POST …/analytics/events/check', () => {
  test('gives the verdicts that the ingest gives, for any batch of either form', async () => {
    let round = 0
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.array(fc.oneof({ weight: 9, arbitrary: canonical }, anything), {
            minLength: 1,
            maxLength: 8,
          }),
          fc
            .array(fc.oneof({ weight: 9, arbitrary: simple }, anything), { maxLength: 8 })
            .map((events) => ({ events })),
        ),
        async (list) => {
          // Ids are new now and then, so that each verdict comes up.
          const unique = JSON.stringify(list).replaceAll(/"([1-6])"/g, `"${round++ >> 4}-$1"`)
          const parsed = JSON.parse(unique) as unknown[] | { events: unknown[] }
          const isSimple = !Array.isArray(parsed)
          const body = isSimple ? parsed : { writeKey, sentAt: now(), batch: parsed }
          const before = (await testApp.stored('shop')).length
          const answer = await check(body, { ...store.write, 'x-anon-id': 'a' })
          assert.equal(answer.statusCode, 200, answer.body)
          const { events, error } = answer.json() as { events: Verdict[]; error?: string }
          assert.equal((await testApp.stored('shop')).length, before, 'nothing is kept')
          const heard: TailBatch[] = []
          const end = testApp.events.tail(owner, (batch) => heard.push(batch))
          const sent = await call({
            method: 'POST',
            url: isSimple ? '/analytics/batch' : '/v1/b',
            headers: isSimple ? { ...store.read, 'x-anon-id': 'a' } : {},
            body,
          })
          end()
          assert.equal(error, undefined)
          assert.equal(sent.statusCode, 200, sent.body)
          const told = events.map(({ verdict, name, reasons, event }) =>
            verdict === 'accepted'
              ? `accepted ${event?.message_id}`
              : verdict === 'duplicate'
                ? 'duplicate'
                : `${verdict} ${name}: ${reasons.join()}`,
          )
          // Ids that the service makes are others each time.
          const plain = (text: string): string =>
            text.replace(/^(duplicate).*|(accepted) [0-9a-f-]{36}$/, '$1$2')
          assert.deepEqual(
            told.map(plain).toSorted(),
            verdictsOf(heard).map(plain).toSorted(),
            JSON.stringify(body),
          )
        },
      ),
      { numRuns: generatedRuns(60) },
    )
  })

  test('knows each form and the path that takes it', async () => {
    for (const [body, form, route] of [
      [{ event_type: 'click', data: {} }, 'simple', '/analytics/event'],
      [{ events: [] }, 'simple', '/analytics/batch'],
      [click(), 'canonical', '/v1/track'],
      [click({ type: 'page' }), 'canonical', '/v1/page'],
      [{ batch: [click()], sentAt: now() }, 'canonical', '/v1/b'],
      [{ batch: [click()] }, 'canonical', '/v1/batch'],
      [7, 'simple', '/analytics/event'],
    ] as const) {
      const answer = (await check(JSON.stringify(body))).json()
      assert.deepEqual([answer.form, answer.route, answer.error], [form, route, undefined])
    }
    const [event] = (await check(click({ messageId: 'new', userId: 'u' }))).json().events
    assert.deepEqual(
      [event.verdict, event.event.user_id, event.event.properties],
      ['accepted', 'u', { object_id: '1' }],
    )
    assert.ok(!JSON.stringify(event).includes('network'))
  })

  test('says what is wrong with the request as a whole', async () => {
    for (const [body, error] of [
      [{ writeKey: otherKey, batch: [click()], sentAt: now() }, /not a key of this store/],
      [{ writeKey: 'nobody', batch: [click()], sentAt: now() }, /not a key of this store/],
      [{ writeKey, batch: [], sentAt: now() }, /at least one event/],
      [{ writeKey, batch: [click()], sentAt: 'soon' }, /"sentAt" must be an ISO 8601 time/],
      [{ events: Array.from({ length: 101 }, () => ({})) }, /at most 100/],
    ] as const) {
      const answer = (await check(body)).json()
      assert.match(answer.error, error)
      assert.deepEqual(answer.events, [])
    }
    const [warning] = (await check({ batch: [click()], sentAt: now() })).json().warnings
    assert.match(warning, /No `writeKey`/)
    assert.equal((await check('{')).json().code, 'malformed_json')
    assert.equal((await check(click(), store.read)).statusCode, 403)
    await using closed = await createTestApp()
    const shop = await closed.createStore('shop')
    const off = await closed.call({
      method: 'POST',
      url: '/api/v1/stores/shop/analytics/events/check',
      headers: shop.write,
      body: click(),
    })
    assert.match(off.json().error, /paths of stock clients.*switched off/)
  })
})
