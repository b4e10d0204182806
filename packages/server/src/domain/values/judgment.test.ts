import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { judgment, wilsonInterval } from './judgment.ts'

const clicks = { query: 'tent', documentId: '1' }

suite('judgments from clicks', () => {
  test('a click far down also counts for visitors who did not look that far', () => {
    const first = judgment({ ...clicks, sessions: 100, clickedSessions: 20, positionSum: 20 })
    const fifth = judgment({ ...clicks, sessions: 100, clickedSessions: 10, positionSum: 50 })
    assert.equal(first.attractiveness, 0.2)
    assert.equal(fifth.attractiveness, 0.5)
    assert.equal(fifth.average_position, 5)
  })

  test('the interval contains the figure, and is narrower with more sessions', () => {
    const few = judgment({ ...clicks, sessions: 10, clickedSessions: 2, positionSum: 4 })
    const many = judgment({ ...clicks, sessions: 1_000, clickedSessions: 200, positionSum: 400 })
    for (const { low, attractiveness, high } of [few, many]) {
      assert.ok(low < attractiveness && attractiveness < high)
    }
    assert.ok(many.high - many.low < few.high - few.low)
  })

  test('nothing is above 1', () => {
    const all = judgment({ ...clicks, sessions: 5, clickedSessions: 5, positionSum: 50 })
    assert.deepEqual([all.attractiveness, all.low, all.high], [1, 1, 1])
  })

  test('the interval of a share equals that of the textbook', () => {
    const [low, high] = wilsonInterval(10, 100)
    assert.ok(Math.abs(low - 0.0552) < 0.0001 && Math.abs(high - 0.1744) < 0.0001)
  })
})
