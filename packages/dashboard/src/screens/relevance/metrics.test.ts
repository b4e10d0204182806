import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { gainInterval } from './interval.ts'
import { gainsOfClicks, gainsOfPeople, withGrade, type ClickRow } from './judgments.ts'
import { moveOf } from '../../parts/moves.ts'
import { gradeGain, ndcg, overlap, runSummary, type ComparedQuery } from './metrics.ts'

const gains = new Map([
  ['a', 1],
  ['b', gradeGain(2)],
])

function query(q: string, live: string[], draft: string[], weight = 1): ComparedQuery {
  const side = (ids: string[]) => ({ ids, found: ids.length })
  return { q, weight, live: side(live), draft: side(draft) }
}

function clickRow(query: string, id: string, sessions: number, clicked: number): ClickRow {
  const attractiveness = clicked / sessions
  return {
    query,
    document_id: id,
    sessions,
    clicked_sessions: clicked,
    average_position: 1,
    attractiveness,
    low: 0,
    high: 1,
  }
}

suite('metrics of the workbench', () => {
  test('NDCG is 1 for the best order, less for others, unknown without anything good', () => {
    assert.equal(ndcg(['a', 'b', 'x'], gains), 1)
    const swapped = (3 / 7 + 1 / Math.log2(3)) / (1 + 3 / 7 / Math.log2(3))
    assert.ok(Math.abs(ndcg(['b', 'a'], gains)! - swapped) < 1e-12)
    assert.equal(ndcg([], gains), 0)
    assert.equal(ndcg(['a'], new Map([['a', 0]])), undefined)
  })

  test('what moved, came and went is told', () => {
    assert.deepEqual(moveOf('a', ['b', 'a'], ['a', 'b']), { kind: 'up', by: 1 })
    assert.deepEqual(moveOf('b', ['b', 'a'], ['a', 'b']), { kind: 'down', by: 1 })
    assert.deepEqual(moveOf('c', ['a'], ['a', 'c']), { kind: 'new' })
    assert.deepEqual(moveOf('a', ['a'], []), { kind: 'gone' })
    assert.equal(overlap(['a', 'b'], ['b', 'c']), 1 / 3)
    assert.equal(overlap([], []), 1)
  })

  test('a run is summed up by the weights of its queries', () => {
    const run = [query('x', ['b', 'a'], ['a', 'b'], 3), query('y', ['c'], [], 1)]
    const summary = runSummary(run, (q) => (q === 'x' ? gains : new Map()))
    assert.equal(summary.changedShare, 1)
    assert.equal(summary.overlap, 0.75)
    assert.deepEqual([summary.liveEmpty, summary.draftEmpty], [0, 1])
    assert.equal(summary.judgedQueries, 1)
    assert.equal(summary.draftNdcg, 1)
  })

  test('thumbs become gains, and are taken away again', () => {
    const graded = withGrade([{ q: 'Tent' }], 'Tent', 'a', 3)
    assert.equal(gainsOfPeople(graded)('tent').get('a'), 1)
    assert.deepEqual(withGrade(graded, 'Tent', 'a', undefined), [{ q: 'Tent' }])
  })
})

suite('the interval of a gain', () => {
  const run = Array.from({ length: 12 }, (_, i) => query(`q${i}`, ['b', 'a'], ['a', 'b']))
  const rowsOf = (sessions: number): ClickRow[] =>
    run.flatMap(({ q }) => [
      clickRow(q, 'a', sessions, Math.round(sessions * 0.5)),
      clickRow(q, 'b', sessions, Math.round(sessions * 0.3)),
    ])

  test('holds the gain, and is the same each time', () => {
    const rows = rowsOf(100)
    const gainsOf = gainsOfClicks(rows)
    const summary = runSummary(run, gainsOf)
    const interval = gainInterval(run, gainsOf, rows)!
    const gain = summary.draftNdcg! - summary.liveNdcg!
    assert.ok(interval.low <= gain && gain <= interval.high)
    assert.deepEqual(gainInterval(run, gainsOf, rows), interval)
  })

  test('few sessions make it wide', () => {
    const widthOf = (sessions: number): number => {
      const rows = rowsOf(sessions)
      const { low, high } = gainInterval(run, gainsOfClicks(rows), rows)!
      return high - low
    }
    assert.ok(widthOf(10) > 2 * widthOf(1_000))
  })

  test('one judged query is too few', () => {
    assert.equal(
      gainInterval(run.slice(0, 1), () => gains),
      undefined,
    )
  })
})
