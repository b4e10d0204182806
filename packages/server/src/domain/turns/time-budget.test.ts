import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { BUDGET_MAX_MS, BUDGET_SHARE_PERCENT, SHARED_TIMEOUT_MIN_MS } from '@aisle/contract'
import { TimeBudget } from './time-budget.ts'

suite('the time budget of the searches of a store', () => {
  test('a store that uses the thread alone may take all of its time', () => {
    const budget = new TimeBudget()
    for (let nowMs = 0; nowMs < 60_000; nowMs += 2_000) {
      assert.equal(budget.timeoutMs('a', nowMs, 2_000), 2_000)
      budget.spend('a', nowMs + 2_000, 2_000)
    }
  })

  test('a store that used more than its share is cut short, its neighbour is not', () => {
    const budget = new TimeBudget()
    budget.timeoutMs('b', 0, 2_000)
    let nowMs = 0
    let granted = budget.timeoutMs('a', nowMs, 2_000)
    assert.equal(granted, 2_000)
    let usedMs = 0
    while (granted > SHARED_TIMEOUT_MIN_MS) {
      nowMs += granted
      usedMs += granted
      budget.spend('a', nowMs, granted)
      assert.equal(budget.timeoutMs('b', nowMs, 2_000), 2_000)
      granted = budget.timeoutMs('a', nowMs, 2_000)
    }
    // What it had saved up, and its share of the time that this took.
    assert.ok(usedMs <= BUDGET_MAX_MS / (1 - BUDGET_SHARE_PERCENT / 100) + 2_000, `${usedMs}`)
  })

  test('a resting store regains its budget', () => {
    const budget = new TimeBudget()
    budget.spend('a', 0, 1e9)
    const restedMs = (2 * BUDGET_MAX_MS) / (BUDGET_SHARE_PERCENT / 100)
    budget.timeoutMs('b', restedMs, 2_000)
    assert.equal(budget.timeoutMs('a', restedMs, 2_000), 2_000)
  })
})
