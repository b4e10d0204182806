import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import { createAnalyzer } from '@aisle/engine'
import type { LogEntry, Visitor } from '@aisle/event-log'
import fc from 'fast-check'
import { DAY_MS, followed, NOON_MS } from '../history/events-for-test.ts'
import { QueryHistory } from '../history/query-history.ts'
import { naiveSeen, naiveTogether } from '../naive/naive-together.ts'
import { buildTogetherIndex, TogetherIndex } from './together-index.ts'

const analyzer = createAnalyzer('en')
const NOW_MS = NOON_MS + 3 * DAY_MS

function indexOf(entries: readonly LogEntry[]): TogetherIndex {
  const history = new QueryHistory(analyzer)
  for (const entry of entries) history.apply(entry)
  const { together, seen } = history
  const today = Math.floor(NOW_MS / DAY_MS)
  return new TogetherIndex(buildTogetherIndex({ together, seen, today }))
}

const NETWORKS = ['a', 'b', 'c', 'd', 'e']

function visitor(network: string): Visitor {
  return { sessionId: `session ${network}`, client: network, network }
}

const look = (id: string, network: string, atMs = NOON_MS) =>
  followed('click', { object_id: id }, visitor(network), atMs)

function ordered(ids: readonly string[], network: string, atMs = NOON_MS): LogEntry {
  const products = ids.map((id) => ({ product_id: id, quantity: 1, price: 1 }))
  const event = followed(
    'conversion',
    { order_id: `${network} ${atMs}`, products },
    visitor(network),
  )
  return {
    ...event,
    name: 'Order Completed',
    source: 'canonical',
    atMs,
    receivedMs: atMs,
  } as LogEntry
}

suite('products that go together', () => {
  test('a pair counts if it came from three networks', () => {
    const visits = (networks: readonly string[]) =>
      networks.flatMap((network) => [look('tent', network), look('lamp', network)])
    assert.deepEqual(indexOf(visits(['a', 'b', 'b'])).of('looked', 'tent'), [])
    const [lamp] = indexOf(visits(['a', 'b', 'c'])).of('looked', 'tent')
    assert.equal(lamp!.id, 'lamp')
    assert.ok(Math.abs(lamp!.affinity - (3 / 8) * 0.5 ** (3 / 30)) < 0.03, `${lamp!.affinity}`)
  })

  test('any three networks are told apart', () => {
    for (let first = 0; first < 100; first++) {
      const networks = [first, first + 1, first + 2].map((i) => `10.${i}.0.0/24`)
      const visits = networks.flatMap((network) => [look('tent', network), look('lamp', network)])
      assert.equal(indexOf(visits).of('looked', 'tent').length, 1, networks.join(' '))
    }
  })

  test('popular products get no more affinity than those that few visitors see together', () => {
    const events = NETWORKS.flatMap((network) => [
      look('poster', network),
      ...(network === 'd' || network === 'e' ? [] : [look('tent', network), look('peg', network)]),
    ])
    assert.deepEqual(
      indexOf(events)
        .of('looked', 'tent')
        .map(({ id }) => id),
      ['peg', 'poster'],
    )
  })

  test('the products of an order go together, and not with those of the next', () => {
    const events = ['a', 'b', 'c'].flatMap((network) => [
      ordered(['tent', 'peg'], network),
      ordered(['soap'], network, NOON_MS + 1_000),
    ])
    const index = indexOf(events)
    assert.deepEqual(
      index.of('bought', 'peg').map(({ id }) => id),
      ['tent'],
    )
    assert.deepEqual(index.of('bought', 'soap'), [])
    assert.deepEqual(index.of('looked', 'peg'), [])
  })

  test('beyond the maximum of companions, the weakest is evicted', () => {
    const events = ['a', 'b', 'c'].flatMap((network) => [
      look('tent', network),
      look('peg', network),
    ])
    for (let i = 0; i < 100; i++) {
      const atMs = NOON_MS + (i + 1) * 3_600_000
      events.push(look('tent', 'd', atMs), look(`p${i}`, 'd', atMs))
    }
    assert.deepEqual(
      indexOf(events)
        .of('looked', 'tent')
        .map(({ id }) => id),
      ['peg'],
    )
    const history = new QueryHistory(analyzer)
    for (const entry of events) history.apply(entry)
    assert.equal(history.together.looked.get('tent')!.ids.length, 24)
  })

  test('the index agrees with the naive model', () => {
    const event = fc.record({
      network: fc.constantFrom(...NETWORKS),
      ids: fc.array(fc.constantFrom('1', '2', '3', '4', '5'), { minLength: 1, maxLength: 3 }),
      step: fc.constantFrom('click', 'conversion', 'order'),
      minutes: fc.integer({ min: 0, max: 4_000 }),
    })
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        const entries = events
          .toSorted((a, b) => a.minutes - b.minutes)
          .map(({ network, ids, step, minutes }) => {
            const atMs = NOON_MS + minutes * 60_000
            if (step === 'order') return ordered([...new Set(ids)], network, atMs)
            const name = step === 'click' ? 'click' : 'conversion'
            return followed(name, { object_id: ids[0] }, visitor(network), atMs)
          })
        const index = indexOf(entries)
        for (const kind of ['looked', 'bought'] as const) {
          for (const id of ['1', '2', '3', '4', '5']) {
            const given = new Map(index.of(kind, id).map((one) => [one.id, one.affinity]))
            const wanted = naiveTogether(entries, kind, id, NOW_MS)
            assert.deepEqual(rounded(given), rounded(wanted), `${kind} ${id}`)
          }
        }
        for (const network of NETWORKS) {
          const who = visitor(network)
          const seen = index.seenBy(who).map(({ id, step }) => ({ id, step }))
          assert.deepEqual(seen, naiveSeen(entries, who.sessionId!))
        }
      }),
    )
  })
})

function rounded(affinities: ReadonlyMap<string, number>): [string, string][] {
  return [...affinities]
    .map(([id, affinity]): [string, string] => [id, affinity.toFixed(9)])
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
}
