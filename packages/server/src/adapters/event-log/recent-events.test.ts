import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  EVENT_TAIL_RECENT_BYTES,
  EVENT_TAIL_RECENT_REFUSED,
  EVENT_TAIL_RECENT_STORES,
} from '@aisle/contract'
import { RecentEvents } from './recent-events.ts'

const refused = (name: string) =>
  ({ verdict: 'invalid', name, source: 'canonical', reasons: ['no'] }) as const
const batch = (receivedMs: number, bytes: number, names: readonly string[] = [], log = 'shop') => ({
  log,
  receivedMs,
  records: new Uint8Array(bytes),
  duplicates: [],
  refused: names.map(refused),
})
const timesOf = (recent: RecentEvents) => recent.of('shop').map(({ receivedMs }) => receivedMs)

suite('recent events', () => {
  test('stored and refused ones are in order of arrival', () => {
    const recent = new RecentEvents()
    for (const one of [batch(1, 10), batch(2, 0, ['a']), batch(3, 10, ['b'])]) recent.add(one)
    assert.deepEqual(timesOf(recent), [1, 2, 3, 3])
    assert.deepEqual(recent.of('other'), [])
    recent.forget('shop')
    assert.deepEqual(timesOf(recent), [])
  })

  test('a busy shop keeps what its bytes allow, and its refused events', () => {
    const recent = new RecentEvents()
    recent.add(batch(0, 0, ['early']))
    const third = Math.ceil(EVENT_TAIL_RECENT_BYTES / 3)
    for (let at = 1; at <= 9; at++) recent.add(batch(at, third))
    assert.deepEqual(timesOf(recent), [0, 8, 9])
    recent.add(batch(10, EVENT_TAIL_RECENT_BYTES + 1))
    assert.deepEqual(timesOf(recent), [0, 8, 9], 'a batch that is too large is left out')
    recent.add(batch(11, EVENT_TAIL_RECENT_BYTES))
    assert.deepEqual(timesOf(recent), [0, 11])
    const many = Array.from({ length: EVENT_TAIL_RECENT_REFUSED }, (_, at) => `late ${at}`)
    recent.add(batch(12, 0, many))
    assert.equal(recent.of('shop').length, EVENT_TAIL_RECENT_REFUSED + 1)
    assert.equal(timesOf(recent).includes(0), false)
  })

  test('stores that have been quiet for longest are forgotten', () => {
    const recent = new RecentEvents()
    recent.add(batch(0, 1))
    for (let at = 1; at < EVENT_TAIL_RECENT_STORES; at++) recent.add(batch(at, 1, [], `log-${at}`))
    recent.add(batch(5, 1))
    recent.add(batch(6, 1, [], 'another'))
    assert.deepEqual(timesOf(recent), [0, 5])
    assert.deepEqual(recent.of('log-1'), [])
  })
})
