import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import fc from 'fast-check'
import { AddressHasher, networkOf } from './address-hash.ts'
import { checkCanonicalEvent } from './canonical-form.ts'
import { correctedTime, parseTime } from './event-time.ts'
import { wholeFault } from './json-value.ts'
import { checkSimpleEvent } from './simple-form.ts'

const DAY_MS = 86_400_000
const NOW_MS = Date.UTC(2026, 0, 10, 12)

suite('the time of an event', () => {
  test('only ISO 8601 is accepted, with and without offset', () => {
    const good: [string, number][] = [
      ['2026-01-10T12:00:00.000Z', NOW_MS],
      ['2026-01-10T12:00:00.0001234Z', NOW_MS],
      ['2026-01-10T14:00+02:00', NOW_MS],
      ['2026-01-10T14:00:00+0200', NOW_MS],
      ['2026-01-10 12:00:00', NOW_MS],
      ['2026-01-10', Date.UTC(2026, 0, 10)],
      ['2024-02-29T00:00Z', Date.UTC(2024, 1, 29)],
    ]
    for (const [text, ms] of good) assert.equal(parseTime(text), ms, text)
    const bad = [
      '',
      '5',
      'Jan 1 2026',
      '2026-02-30',
      '2026-13-01',
      '2026-01-10T25:00Z',
      5,
      null,
      {},
    ]
    for (const value of bad) assert.equal(parseTime(value), undefined)
  })

  test('is the receipt less the age at the client, even if the client’s clock is wrong', () => {
    const ms = fc.integer({ min: -DAY_MS * 100, max: DAY_MS * 100 })
    fc.assert(
      fc.property(ms, fc.nat(DAY_MS * 399), (driftMs, ageMs) => {
        const sentAtMs = NOW_MS + driftMs
        const times = { timestampMs: sentAtMs - ageMs, sentAtMs, receivedMs: NOW_MS }
        assert.equal(correctedTime(times), NOW_MS - ageMs)
      }),
    )
  })

  test('at most 400 days back and five minutes ahead', () => {
    const at = (offsetMs: number): number | undefined =>
      correctedTime({ timestampMs: NOW_MS + offsetMs, receivedMs: NOW_MS })
    assert.equal(at(-400 * DAY_MS), NOW_MS - 400 * DAY_MS)
    assert.equal(at(-400 * DAY_MS - 1), undefined)
    assert.equal(at(300_000), NOW_MS + 300_000)
    assert.equal(at(300_001), NOW_MS)
  })
})

suite('checking events', () => {
  const context = {
    receivedMs: NOW_MS,
    sentAtMs: NOW_MS,
    address: {},
    isKeyOfStore: () => false,
    visitor: {},
    newId: () => 'made',
  }

  test('no JSON value throws, in either form', () => {
    const keys = ['type', 'event', 'anonymousId', 'messageId', 'timestamp', 'properties', 'data']
    const event = fc.dictionary(fc.constantFrom(...keys, 'event_type', 'userId'), fc.jsonValue())
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), event), (value) => {
        checkCanonicalEvent(value, context)
        checkSimpleEvent(value, context)
      }),
      { numRuns: 1_000 },
    )
  })

  test('an event is too large exactly when its JSON is', () => {
    const part = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ maxLength: 8_000 }))
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), fc.nat(30_000), (texts, more) => {
        const event = { texts, pad: '\u0001'.repeat(more / 6) }
        const isLarge = Buffer.byteLength(JSON.stringify(event)) > 32_768
        assert.equal(wholeFault(event)?.includes('larger') ?? false, isLarge)
      }),
    )
  })
})

suite('addresses', () => {
  test('networks are /24 and /48, in any notation', () => {
    assert.equal(networkOf('192.0.2.77'), '192.0.2')
    assert.equal(networkOf('::ffff:192.0.2.77'), '192.0.2')
    assert.equal(networkOf('2001:db8:7:1::1'), '2001:db8:7')
    assert.equal(networkOf('2001:0DB8:0007::'), '2001:db8:7')
    assert.equal(networkOf('::1'), '0:0:0')
    assert.equal(networkOf('fe80::1%eth0'), 'fe80:0:0')
  })

  test('a client hash lasts a day, a network hash forever, both keyed', () => {
    const hasher = new AddressHasher('key')
    const today = hasher.hash('192.0.2.77', NOW_MS)
    const tomorrow = hasher.hash('192.0.2.77', NOW_MS + DAY_MS)
    const neighbour = hasher.hash('192.0.2.78', NOW_MS)
    assert.notEqual(today.client, tomorrow.client)
    assert.equal(today.network, tomorrow.network)
    assert.notEqual(today.client, neighbour.client)
    assert.equal(today.network, neighbour.network)
    assert.notEqual(new AddressHasher('other').hash('192.0.2.77', NOW_MS).network, today.network)
  })
})
