import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import { EMPTY_PLAN, plainSlot, seededRandom } from '@aisle/testing'
import { createAnalyzer, type SearchPlan } from '@aisle/engine'
import { NaiveIndex } from '@aisle/engine/naive'
import type { Visitor } from '@aisle/event-log'
import { DAY_MS, followed, NOON_MS, searched } from '../history/events-for-test.ts'
import { QueryHistory } from '../history/query-history.ts'
import { dayOf } from './windows.ts'
import { buildPopularityIndex, PopularityIndex } from './popularity-index.ts'

const analyzer = createAnalyzer('en')
const FIRST_DAY = dayOf(NOON_MS)
/**
 * The probability that a visitor who looks at a document clicks it, by id; all match the query
 * alike.
 */
const ATTRACTION = [0.05, 0.1, 0.15, 0.02, 0.3, 0.08, 0.6, 0.12, 0.04, 0.2]
const TRUTH = [6, 4, 9]
const SESSIONS_PER_DAY = 250

/**
 * A shop with modelled visitors: they look at rank r with a probability of 1/r, click by
 * attraction, and see a ranking that is rebuilt every night from their clicks.
 */
class SimulatedShop {
  readonly history = new QueryHistory(analyzer)
  readonly #index: NaiveIndex
  readonly #random: () => number
  #sessions = 0

  constructor(seed: number) {
    const kind = { type: 'string', searchable: true, facet: false, sort: false } as const
    this.#index = new NaiveIndex({ fields: [{ name: 'title', ...kind }] }, analyzer)
    this.#random = seededRandom(seed)
    for (const id of ATTRACTION.keys()) {
      this.#index.add({ docKey: id + 1, id: String(id), values: ['red tent'] })
    }
  }

  popularity(day: number): PopularityIndex {
    this.history.tick(NOON_MS + (day + 1 - FIRST_DAY) * DAY_MS)
    return new PopularityIndex(
      buildPopularityIndex({
        appeal: this.history.appeal,
        table: this.history.table,
        docKeyOf: (id) => Number(id) + 1,
        today: day,
      }),
    )
  }

  /** Ids in the order of the results of the query. */
  order(day: number, weight = 0.5): number[] {
    const { documents, appealOf } = bound(this.popularity(day))
    const popularity = { documents, appeal: appealOf('tent'), weight }
    return this.#index.search({ ...PLAN, popularity }).hits.map(({ docKey }) => docKey - 1)
  }

  visit(day: number, order: readonly number[], visitor?: Visitor): void {
    const name = `v${this.#sessions++}`
    const who = visitor ?? { sessionId: name, anonymousId: name, client: name, network: name }
    const atMs = NOON_MS + (day - FIRST_DAY) * DAY_MS + this.#sessions
    this.history.apply(searched('tent', who, { atMs, receivedMs: atMs }))
    for (const [i, id] of order.entries()) {
      if (this.#random() >= 1 / (i + 1) || this.#random() >= ATTRACTION[id]!) continue
      this.click(id, i + 1, who, atMs)
    }
  }

  click(id: number, position: number, who: Visitor, atMs: number): void {
    const properties = { query: 'tent', document_id: String(id), position }
    this.history.apply(followed('click', properties, who, atMs))
  }

  live(days: number): void {
    for (let day = FIRST_DAY; day < FIRST_DAY + days; day++) {
      const order = this.order(day)
      for (let i = 0; i < SESSIONS_PER_DAY; i++) this.visit(day, order)
    }
  }
}

const PLAN: SearchPlan = {
  ...EMPTY_PLAN,
  slots: [plainSlot('tent', 'tent')],
  fieldWeights: [1],
  lengthNorms: [0.5],
  sort: [
    { kind: 'textMatch', descending: true },
    { kind: 'popularity', descending: true },
  ],
  size: ATTRACTION.length,
}

function bound(index: PopularityIndex) {
  return { documents: index.documents, appealOf: (key: string) => index.appealOf(key) }
}

suite('popularity in a shop with modelled visitors', () => {
  test('the documents that visitors prefer rise, from any position', () => {
    for (const seed of [1, 2, 3]) {
      const shop = new SimulatedShop(seed)
      assert.deepEqual(shop.order(FIRST_DAY).slice(0, 4), [9, 8, 7, 6], 'newest first')
      shop.live(14)
      assert.deepEqual(shop.order(FIRST_DAY + 14).slice(0, 3), TRUTH, `seed ${seed}`)
    }
  })

  test('the attraction of a document is estimated independent of its position', () => {
    const shop = new SimulatedShop(7)
    const order = ATTRACTION.map((_, id) => ATTRACTION.length - 1 - id)
    for (let i = 0; i < 20_000; i++) shop.visit(FIRST_DAY, order)
    const appeal = shop.popularity(FIRST_DAY).appealOf('tent')
    for (const [id, truth] of ATTRACTION.entries()) {
      const estimate = appeal.get(id + 1) ?? 0
      assert.ok(Math.abs(estimate - truth) < 0.03, `${id}: ${estimate} for ${truth}`)
    }
  })

  test('a burst of one client changes nothing, with any claimed sessions and positions', () => {
    const shop = new SimulatedShop(4)
    shop.live(7)
    const day = FIRST_DAY + 7
    const before = shop.order(day)
    const atMs = NOON_MS + 7 * DAY_MS
    for (let i = 0; i < 2_000; i++) {
      const who = { sessionId: `bot${i}`, anonymousId: `bot${i}`, client: 'bot', network: 'bot' }
      shop.visit(day, [], who)
      shop.click(3, 10, who, atMs + i)
    }
    assert.deepEqual(shop.order(day), before)
  })

  test('documents without clicks fade', () => {
    const shop = new SimulatedShop(5)
    shop.live(3)
    const levelOf = (day: number) => Math.max(...shop.popularity(day).documents.levels)
    const levels = [3, 33, 63, 400].map((days) => levelOf(FIRST_DAY + days))
    assert.ok(levels[0]! > levels[1]! && levels[1]! > levels[2]! && levels[2]! > 0)
    assert.equal(levels[3]! < 10, true)
  })
})
