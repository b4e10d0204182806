import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import fc from 'fast-check'
import { createAnalyzer } from '@aisle/engine'
import { DAY_MS, followed, NOON_MS } from '../history/events-for-test.ts'
import { QueryHistory } from '../history/query-history.ts'
import { naiveLearned, type NaiveChoice } from '../naive/naive-learning.ts'
import { AppealTable } from '../popularity/appeal-table.ts'
import { buildPopularityIndex, PopularityIndex } from './popularity-index.ts'
import { dayOf } from './windows.ts'

const TODAY = 20_000
const IDS = ['1', '2', '3']

function indexOf(appeal: AppealTable, today: number): PopularityIndex {
  const table = { queries: new Map() } as never
  return new PopularityIndex(
    buildPopularityIndex({ appeal, table, docKeyOf: (id) => Number(id), today }),
  )
}

const choice: fc.Arbitrary<NaiveChoice> = fc.record({
  query: fc.constantFrom('tent', 'lamp'),
  document: fc.constantFrom(...IDS),
  position: fc.option(fc.integer({ min: 1, max: 14 }), { nil: undefined, freq: 6 }),
  weight: fc.constantFrom(1, 1, 1, 3),
  day: fc.integer({ min: TODAY - 40, max: TODAY }),
  network: fc.integer({ min: 1, max: 14 }),
})

suite('learning', () => {
  test('counts as its naive twin', () => {
    fc.assert(
      fc.property(
        fc.array(choice, { maxLength: 120 }),
        fc.array(fc.double({ min: 0, max: 500, noNaN: true }), { maxLength: 10 }),
        (choices, places) => {
          const appeal = new AppealTable()
          appeal.places.day = TODAY
          appeal.places.clicks.push(...places)
          for (const { query, document, position, weight, day, network } of choices) {
            const click = position === undefined ? undefined : { position, weight }
            appeal.raiseDocument(document, weight, day, network)
            appeal.raisePair(query, document, weight, click, day, network)
          }
          const index = indexOf(appeal, TODAY)
          for (const query of ['tent', 'lamp']) {
            const learned = index.learnedOf(query)
            for (const id of IDS) {
              const wanted = naiveLearned(choices, places, query, id, TODAY)
              const received = learned.get(Number(id))
              assert.equal(received === undefined, wanted === undefined, `${query} ${id}`)
              if (wanted === undefined || received === undefined) continue
              for (const part of ['lift', 'clicks', 'expected'] as const) {
                const difference = Math.abs(received[part] - wanted[part])
                assert.ok(difference < 1e-6, `${part}: ${received[part]} for ${wanted[part]}`)
              }
            }
          }
        },
      ),
    )
  })
})

/** Clicks of visitors in different networks on a document, each with the query. */
function clicked(
  history: QueryHistory,
  document: string,
  visitors: readonly string[],
  properties: Record<string, unknown>,
  name: 'click' | 'conversion' = 'click',
): void {
  for (const id of visitors) {
    const who = { sessionId: id, anonymousId: id, client: id, network: id }
    history.apply(followed(name, { query: 'tent', document_id: document, ...properties }, who))
  }
}

/** Visitors of other queries, who click what is first. */
function others(history: QueryHistory): void {
  for (let place = 1; place <= 10; place++) {
    const clickers = visitors(Math.round(200 / place), `o${place}`)
    clicked(history, '3', clickers, { query: 'lamp', position: place })
  }
}

function learned(history: QueryHistory, days = 0) {
  const today = dayOf(NOON_MS) + days
  history.tick(NOON_MS + days * DAY_MS)
  return indexOf(history.appeal, today).learnedOf('tent')
}

const visitors = (count: number, name = 'v') => Array.from({ length: count }, (_, i) => name + i)

suite('what a shop learns', () => {
  const analyzer = createAnalyzer('en')

  test('a document far down that most visitors choose is lifted, the first one is not', () => {
    const history = new QueryHistory(analyzer)
    others(history)
    clicked(history, '1', visitors(20), { position: 1 })
    clicked(history, '2', visitors(40, 'w'), { position: 6 })
    const { lift, clicks, expected } = learned(history).get(2)!
    assert.equal(clicks, 39, 'without one network')
    assert.ok(expected < 10 && lift > 0.5, JSON.stringify(learned(history).get(2)))
    assert.equal(learned(history).get(1)!.lift, 0)
    assert.ok(learned(history, 120).get(2)!.lift < lift, 'it fades')
  })

  test('clicks without a position, and few clicks, teach nothing', () => {
    const history = new QueryHistory(analyzer)
    clicked(history, '1', visitors(40), {})
    assert.equal(learned(history).size, 0)
    clicked(history, '2', visitors(3), { position: 8 })
    assert.equal(learned(history).get(2)!.lift, 0)
  })

  test('an order counts as three clicks, at the position of the click before it', () => {
    const history = new QueryHistory(analyzer)
    clicked(history, '1', visitors(30), { position: 1 })
    clicked(history, '2', visitors(10), { position: 5 })
    clicked(history, '2', visitors(10), {}, 'conversion')
    // A network counts three at most, so the order of a visitor who clicked counts as two.
    assert.equal(learned(history).get(2)!.clicks, 27)
  })

  test('one network cannot lift a document, with any number of clients and positions', () => {
    const history = new QueryHistory(analyzer)
    clicked(history, '1', visitors(30), { position: 1 })
    clicked(history, '2', visitors(4, 'w'), { position: 4 })
    const before = learned(history).get(2)!
    for (let i = 0; i < 2_000; i++) {
      const id = `bot${i}`
      const who = { sessionId: id, anonymousId: id, client: id, network: 'bots' }
      history.apply(followed('click', { query: 'tent', document_id: '2', position: 9 }, who))
    }
    assert.equal(before.lift, 0)
    const after = learned(history).get(2)!
    assert.deepEqual([after.lift, after.clicks], [0, before.clicks + 1])
  })
})
