import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import { deserialize, serialize } from 'node:v8'
import { createAnalyzer } from '@aisle/engine'
import type { LogEntry, Visitor } from '@aisle/event-log'
import { CELL, CELL_LENGTH } from './day-cells.ts'
import { DAY_MS, followed, NOON_MS, searched } from './events-for-test.ts'
import { QueryHistory, type HistoryState } from './query-history.ts'

const analyzer = createAnalyzer('en')

function history(...entries: LogEntry[]): QueryHistory {
  const made = new QueryHistory(analyzer)
  for (const entry of entries) made.apply(entry)
  made.tick(NOON_MS + 10 * DAY_MS)
  return made
}

/** Sessions, clicks and conversions by query, summed over days and tags. */
function counts({ table }: QueryHistory): Record<string, number[]> {
  return Object.fromEntries(
    [...table.queries].map(([key, { cells }]) => {
      const sums = [0, 0, 0]
      for (let at = 0; at < cells.length; at += CELL_LENGTH) {
        if (cells[at + CELL.tagSet] !== 0) continue
        for (let i = 0; i < 3; i++) sums[i]! += cells[at + CELL.sessions + i]!
      }
      return [key, sums]
    }),
  )
}

const session = (sessionId: string): Visitor => ({ sessionId })

suite('counting queries', () => {
  test('a session counts once per query and day, by the last query of a burst', () => {
    const seconds = (s: number) => ({ atMs: NOON_MS + s * 1_000 })
    const made = history(
      searched('s', session('a'), seconds(0)),
      searched('shoe', session('a'), seconds(1)),
      searched('tent', session('a'), seconds(20)),
      searched('Shoes', session('a'), seconds(40)),
      searched('shoe', session('b'), seconds(41)),
      searched('shoe', session('a'), { atMs: NOON_MS + DAY_MS }),
    )
    assert.deepEqual(counts(made), { shoe: [3, 0, 0], tent: [1, 0, 0] })
  })

  test('queries without results, and personal ones, do not count', () => {
    const made = history(
      searched('unicorn', session('a'), { found: 0 }),
      searched('anna@example.com', session('b')),
      searched('*', session('c')),
    )
    assert.deepEqual(counts(made), {})
    assert.equal([...made.profiles.items].length, 0)
  })

  test('clicks and conversions belong to the query they name, else to their search, else to the last query', () => {
    const made = history(
      searched('tent', session('a'), { searchId: 'x' }),
      followed('click', { search_id: 'x', object_id: '1' }, session('a')),
      followed('click', { search_id: 'x', object_id: '2' }, session('a')),
      followed('conversion', { document_id: '1' }, session('a'), NOON_MS + 60_000),
      followed('click', { query: 'stove', document_id: '3' }, session('b')),
    )
    assert.deepEqual(counts(made), { tent: [1, 1, 1], stove: [1, 1, 0] })
    assert.deepEqual([...made.documents.documents.keys()], ['1', '2', '3'])
  })

  test('a corrected query counts for its correction, and so do its clicks', () => {
    const made = history(
      searched('tnet', session('a'), { searchId: 'x', corrected: 'tent' }),
      followed('click', { search_id: 'x', query: 'tnet', object_id: '1' }, session('a')),
      followed('conversion', { query: 'tnet', document_id: '1' }, session('a')),
      searched('tnet', { client: 'address' }, { searchId: 'y', corrected: 'tent' }),
      searched('tnet', { client: 'address', anonymousId: 'anna' }, { searchId: 'y' }),
      followed('click', { query: 'tnet', document_id: '3' }, session('b')),
    )
    assert.deepEqual(counts(made), { tent: [2, 1, 1], tnet: [1, 1, 0] })
  })

  test('a client’s report of a recorded search does not count it again, but identifies the visitor', () => {
    const service: Visitor = { client: 'address' }
    const made = history(
      searched('tent', service, { searchId: 'x' }),
      searched('tent', { client: 'address', anonymousId: 'anna' }, { searchId: 'x' }),
      searched('tent', { client: 'address', anonymousId: 'anna' }, { searchId: 'x' }),
    )
    assert.deepEqual(counts(made), { tent: [1, 0, 0] })
    assert.equal([...made.profiles.items].length, 1)
  })

  test('one visitor with many sessions, and one address with very many visitors, are capped', () => {
    const visitors = Array.from({ length: 50 }, (_, i) => ({
      sessionId: `s${i}`,
      anonymousId: 'mallory',
    }))
    assert.deepEqual(counts(history(...visitors.map((one) => searched('fake', one)))), {
      fake: [3, 0, 0],
    })
    const clients = Array.from({ length: 500 }, (_, i) => ({
      sessionId: `s${i}`,
      client: 'bot farm',
    }))
    assert.deepEqual(counts(history(...clients.map((one) => searched('fake', one)))), {
      fake: [100, 0, 0],
    })
    const clicks = clients.map((one) => followed('click', { query: 'fake', document_id: '1' }, one))
    assert.deepEqual(counts(history(...clicks)), { fake: [100, 100, 0] })
  })

  test('a history that was saved and restored continues unchanged', () => {
    const steps = Array.from({ length: 200 }, (_, i) => {
      const atMs = NOON_MS + i * 1_700_000
      const visitor = { sessionId: `s${i % 7}`, userId: `u${i % 3}`, network: `n${i % 2}` }
      const query = ['tent', 'tents', 'tent pegs', 'stove', 'lamp'][i % 5]!
      return i % 4 === 3
        ? followed('click', { query, document_id: `${i % 6}` }, visitor, atMs)
        : searched(query, visitor, { atMs, tags: i % 2 === 0 ? ['web'] : [], searchId: `${i}` })
    })
    const whole = new QueryHistory(analyzer)
    let pieces = new QueryHistory(analyzer)
    for (const [i, entry] of steps.entries()) {
      whole.apply(entry)
      pieces.apply(entry)
      pieces.tick(entry.receivedMs + 1_000)
      if (i % 20 === 0) {
        pieces = new QueryHistory(analyzer, deserialize(serialize(pieces.state)) as HistoryState)
      }
    }
    whole.tick(Infinity)
    pieces.tick(Infinity)
    assert.deepEqual(pieces.state, whole.state)
  })
})
