import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { TailedEvent } from '@aisle/contract'
import { isWanted, sameVisitor } from './event-facts.ts'
import { TAIL_ROWS_MAX, TailBuffer } from './tail-buffer.ts'

const event = (name: string, more: Partial<TailedEvent> = {}): TailedEvent => ({
  verdict: 'accepted',
  name,
  source: 'canonical',
  received_at: '2026-01-01T00:00:00.000Z',
  ...more,
})

suite('the live tail', () => {
  test('holds 2,000 events however many come, the newest first', () => {
    const buffer = new TailBuffer()
    for (let i = 1; i <= 50_000; i++) {
      buffer.push(event(`e${i}`), i * 5)
      if (i % 700 === 0 && i < 40_000) buffer.show()
    }
    assert.equal(buffer.waiting, TAIL_ROWS_MAX)
    buffer.show()
    assert.deepEqual([buffer.rows.length, buffer.waiting], [TAIL_ROWS_MAX, 0])
    assert.equal(buffer.rows[0]!.event.name, 'e50000')
    assert.equal(buffer.rows.at(-1)!.event.name, `e${50_000 - TAIL_ROWS_MAX + 1}`)
    assert.equal(new Set(buffer.rows.map(({ id }) => id)).size, TAIL_ROWS_MAX)
  })

  test('says how many come per second, and forgets it when none come', () => {
    const buffer = new TailBuffer()
    for (let i = 0; i < 2_000; i++) buffer.push(event('e'), i * 5)
    assert.equal(buffer.rate(9_999), 200)
    assert.equal(buffer.rate(60_000), 0)
  })
})

test('a filter looks into names, ids and properties', () => {
  const one = event('Object Clicked', {
    user_id: 'Ada',
    properties: { search_id: 's-1', query: 'Tent' } as never,
  })
  for (const text of ['', 'clicked', 'ada', 's-1', 'tent']) assert.ok(isWanted(one, text, ''), text)
  assert.equal(isWanted(one, 'stove', ''), false)
  assert.equal(isWanted(one, '', 'invalid'), false)
})

test('a visitor is one by any of the ids', () => {
  const left = event('a', { user_id: 'u', anonymous_id: 'x' })
  assert.ok(sameVisitor(left, event('b', { anonymous_id: 'x' })))
  assert.equal(sameVisitor(left, event('b', { user_id: 'x' })), false)
  assert.equal(sameVisitor(event('a'), event('b')), false)
})
