import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import { experimentReport, NOBODY, type ArmCounts } from './experiment-verdict.ts'

const arm = (visitors: number, orderedVisitors: number): ArmCounts => ({
  ...NOBODY,
  visitors,
  orderedVisitors,
})
const split = (days: number, live: ArmCounts, draft: ArmCounts, isPart = false) =>
  experimentReport({
    kind: 'split',
    goal: 'order',
    days,
    live,
    draft,
    interleaved: NOBODY,
    isOneCurrency: false,
    isPart,
  })

suite('the verdict of an experiment', () => {
  test('needs whole weeks, visitors and events, and says which are missing', () => {
    assert.equal(split(2, arm(5_000, 100), arm(5_000, 400)).reason, 'too_early')
    assert.equal(split(8, arm(99, 0), arm(99, 99)).reason, 'too_few_visitors')
    assert.equal(split(8, arm(5_000, 0), arm(5_000, 0)).reason, 'no_events')
    assert.equal(split(8, arm(5_000, 150), arm(5_000, 160)).reason, 'too_close')
    assert.equal(split(8, arm(5_000, 100), arm(5_000, 400), true).reason, 'part')
  })

  test('names the arm that wins', () => {
    const {
      verdict,
      reason,
      confidence,
      days_left: left,
    } = split(8, arm(5_000, 100), arm(5_000, 400))
    assert.deepEqual([verdict, reason, left], ['draft', undefined, null])
    assert.ok(confidence > 0.99)
    assert.equal(split(8, arm(5_000, 400), arm(5_000, 100)).verdict, 'live')
  })

  test('estimates the days that are missing: fewer for a greater difference', () => {
    assert.equal(split(2, arm(5_000, 100), arm(5_000, 400)).days_left, 5)
    const small = split(8, arm(5_000, 150), arm(5_000, 180)).days_left!
    const greater = split(8, arm(5_000, 150), arm(5_000, 190)).days_left!
    assert.ok(greater < small && greater > 0, `${greater} and ${small}`)
    assert.equal(split(8, arm(5_000, 150), arm(5_000, 151)).days_left, null)
  })
})
