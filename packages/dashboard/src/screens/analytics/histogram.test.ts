import assert from 'node:assert/strict'
import { test } from 'node:test'
import { histogramOf } from './histogram.ts'

test('positions without clicks have a column, far ones share one, and no click is lost', () => {
  const rows = [
    { position: 1, clicks: 50 },
    { position: 3, clicks: 20 },
    { position: 11, clicks: 4 },
    { position: 20, clicks: 2 },
    { position: 900, clicks: 1 },
  ]
  const columns = histogramOf(rows)
  assert.deepEqual(columns.slice(0, 3), [
    { label: '1', clicks: 50, isGroup: false },
    { label: '2', clicks: 0, isGroup: false },
    { label: '3', clicks: 20, isGroup: false },
  ])
  assert.deepEqual(columns.slice(10), [
    { label: '11–20', clicks: 6, isGroup: true },
    { label: '21–50', clicks: 0, isGroup: true },
    { label: '51+', clicks: 1, isGroup: true },
  ])
  assert.equal(
    columns.reduce((sum, { clicks }) => sum + clicks, 0),
    77,
  )
  assert.equal(histogramOf([]).length, 10)
})
