import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chartSeries } from './chart-series.ts'

test('the interval has a gap where it is so wide that the lines would look flat', () => {
  const days = [
    { day: '2026-02-01', live: null, draft: null, low: null, high: null },
    { day: '2026-02-02', live: 0.03, draft: 0.04, low: 0, high: 0.9 },
    { day: '2026-02-03', live: 0.03, draft: 0.035, low: 0.01, high: 0.06 },
  ]
  const [live, draft, least, most] = chartSeries(days)
  assert.deepEqual(live?.values, [null, 0.03, 0.03])
  assert.deepEqual(draft?.values, [null, 0.04, 0.035])
  assert.deepEqual(least?.values, [null, null, 0.01])
  assert.deepEqual(most?.values, [null, null, 0.06])
})
