import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { JourneyEvent } from '@aisle/client'
import { detailOf, VISIT_PAUSE_MS, visitsOf, visitSummary } from './journey-episodes.ts'

const START_MS = Date.UTC(2026, 0, 1)

function event(step: JourneyEvent['step'], atMs: number, more: object = {}): JourneyEvent {
  const timestamp = new Date(START_MS + atMs).toISOString()
  return {
    step,
    name: step,
    source: 'canonical',
    timestamp,
    received_at: timestamp,
    message_id: `${step} ${atMs}`,
    query: 'tent',
    counted: step === 'search',
    ...more,
  }
}

suite('the visits of a journey', () => {
  test('end with a pause of half an hour; the newest comes first, its events in order', () => {
    const events = [
      event('search', 0),
      event('click', 1_000),
      event('order', 1_000 + VISIT_PAUSE_MS),
      event('search', 2_000 + 2 * VISIT_PAUSE_MS),
    ]
    const visits = visitsOf(events.toReversed())
    assert.deepEqual(
      visits.map((visit) => visit.events.map(({ step }) => step)),
      [['search'], ['search', 'click', 'order']],
    )
    assert.equal(visits[1]?.startMs, START_MS)
    assert.deepEqual(visitsOf([]), [])
  })

  test('are summed up with the searches that reports count', () => {
    const visit = {
      startMs: 0,
      events: [
        event('search', 0, { counted: false }),
        event('search', 1),
        event('click', 2),
        event('click', 3),
        event('purchase', 4),
      ],
    }
    assert.equal(visitSummary(visit), '1 search, 2 clicks, 1 order')
    assert.equal(visitSummary({ startMs: 0, events: [event('other', 0)] }), '1 event')
  })

  test('have events in words', () => {
    const search = event('search', 0, { properties: { query: 'Tent', num_found: 0 } })
    assert.equal(detailOf(search), '“Tent” · 0 found')
    assert.match(detailOf({ ...search, counted: false }), /reported again$/)
    const click = event('click', 0, { properties: { object_id: 'p-1', position: 2 } })
    assert.equal(detailOf(click), 'p-1 · place 2 · from “tent”')
    const order = { order_id: 'o', revenue: 20, currency: 'EUR' }
    assert.equal(
      detailOf(event('order', 0, { properties: order, query: null })),
      'order o · 20 EUR',
    )
    assert.equal(detailOf(event('other', 0, { properties: { query: {} }, query: null })), '')
  })
})
