import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { WordModel } from '../model/word-model.ts'
import { POINTS_PER_UNIT } from '../../scoring/formula.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import { MaskTables } from './slot-tables.ts'

const model = new WordModel({ slot: { stopword: false }, weight: 1 } as ResolvedSlot)

suite('mask tables', () => {
  test('depend on the list, because the main stem group may differ by segment', () => {
    const tables = new MaskTables()
    tables.fill(Float64Array.of(0.9, 1), model)
    assert.equal(tables.factors[0b11], POINTS_PER_UNIT)
    assert.notEqual(tables.flags[0b11], 0)
    tables.fill(Float64Array.of(0.0001, 0.0002), model)
    assert.equal(tables.factors[0b11], 0.0002 * POINTS_PER_UNIT)
    assert.equal(tables.flags[0b11], 0)
  })
})
