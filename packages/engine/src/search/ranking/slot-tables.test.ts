import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { POINTS_PER_UNIT } from '../../scoring/formula.ts'
import { MaskTables } from './slot-tables.ts'

const flags = { counted: 2, uncounted: 1, countedMin: 0.02, carries: true }

suite('mask tables', () => {
  test('depend on the list, because the main stem group may differ by segment', () => {
    const tables = new MaskTables()
    tables.fill(Float64Array.of(0.9, 1), 1, flags)
    assert.equal(tables.factors[0b11], POINTS_PER_UNIT)
    tables.fill(Float64Array.of(0.0001, 0.0002), 1, flags)
    assert.equal(tables.factors[0b11], 0.0002 * POINTS_PER_UNIT)
    assert.equal(tables.flags[0b11], flags.uncounted)
  })
})
