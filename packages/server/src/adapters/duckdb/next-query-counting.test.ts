import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { replacedWords } from '@aisle/event-log'
import type { VisitorEvent } from '@aisle/event-log'
import fc from 'fast-check'
import { assertCountedAsNaive } from './report-database-for-test.ts'

const START_MS = Date.UTC(2026, 1, 1)
const COMMON = ['couch', 'sofa', 'red couch', 'red sofa']
const QUERIES = [
  ...COMMON,
  ...COMMON,
  ...COMMON,
  'red sofa cover',
  'red couch cover',
  'couch couch',
  'étui 🎒 a b',
  'x y z a b',
  'a b c d e f g h i',
  '*',
]

const step = fc.record({
  query: fc.constantFrom(...QUERIES),
  /** The border of what is soon enough, on both sides. */
  afterMs: fc.constantFrom(3_000, 30_000, 60_000, 300_000, 300_001),
  found: fc.constantFrom(0, 3, 4, undefined),
  click: fc.option(
    fc.record(
      { document_id: fc.constantFrom('d1', 'd2', 'd3'), position: fc.integer({ min: 1, max: 12 }) },
      { requiredKeys: [] },
    ),
    { nil: undefined, freq: 2 },
  ),
  tag: fc.boolean(),
})
const session = fc.record({
  visitor: fc.constantFrom<VisitorEvent['visitor']>(
    { userId: 'u' },
    { anonymousId: 'a' },
    { anonymousId: 'b', sessionId: 's' },
    { userId: 'u', anonymousId: 'b' },
    { sessionId: 't' },
    {},
  ),
  steps: fc.array(step, { minLength: 2, maxLength: 6 }),
})

/** Sessions one after the other, an hour apart. */
const history = fc.array(session, { minLength: 10, maxLength: 25, size: 'max' }).map((sessions) =>
  sessions.flatMap(({ visitor, steps }, i) => {
    let atMs = START_MS + i * 3_600_000
    return steps.flatMap(({ query, afterMs, found, click, tag }, j) => {
      atMs += afterMs
      const event = (name: string, ms: number, properties: object): VisitorEvent => ({
        kind: 'event',
        name,
        source: 'simple',
        messageId: `${name} ${i} ${j}`,
        atMs: ms,
        receivedMs: ms,
        visitor,
        properties: properties as VisitorEvent['properties'],
      })
      const search = event('search', atMs, {
        query,
        ...(found === undefined ? {} : { total_results: found }),
        ...(tag ? { analytics_tags: ['web'] } : {}),
      })
      return click === undefined ? [search] : [search, event('click', atMs + 500, click)]
    })
  }),
)

const asked = fc.record({
  report: fc.constantFrom('reformulations', 'missed-searches', 'missed-searches'),
  fromMs: fc.constant(START_MS),
  toMs: fc.constantFrom(5, 100, 100).map((hours) => START_MS + hours * 3_600_000),
  limit: fc.constantFrom(1, 1_000, 1_000),
  tags: fc.constantFrom([], [], ['web']),
  onlyQuery: fc.constantFrom(undefined, undefined, 'couch'),
})

suite('reports of what visitors typed next', () => {
  test('count as the naive reports do', async () => {
    let rows = 0
    await assertCountedAsNaive(history, asked, (counts) => (rows += counts.rows.length))
    assert.ok(rows > 0, 'every report was empty')
  })

  test('reformulations replace what two queries do not have in common', () => {
    const replaced = (a: string, b: string): unknown => {
      const words = replacedWords(a, b)
      return words === undefined ? undefined : [words.from, words.to, words.context]
    }
    assert.deepEqual(replaced('red couch cover', 'red sofa cover'), [
      'couch',
      'sofa',
      'red … cover',
    ])
    assert.deepEqual(replaced('garbage can', 'trash can'), ['garbage', 'trash', '… can'])
    assert.deepEqual(replaced('ps5', 'playstation 5'), ['ps5', 'playstation 5', '…'])
    assert.equal(replaced('couch', 'red couch'), undefined)
    assert.equal(replaced('couch', 'couch'), undefined)
    assert.equal(replaced('a b c d', 'e f g h'), undefined)
    assert.equal(replaced('*', 'couch'), undefined)
  })
})
