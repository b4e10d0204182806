import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newBitset, setBit } from '../../codec/bitset.ts'
import { columnOf, fieldForTest } from '../../columns/column-for-test.ts'
import { FacetMemory } from './facet-memory.ts'

const DOC_COUNT = 1_000
const COLUMN_BYTES = 2_048

const newColumn = () =>
  columnOf(
    fieldForTest('string'),
    Array.from({ length: DOC_COUNT }, (_, doc) => `value ${doc % 20}`),
  )!

test('columns are kept up to a limit, and dropped when most are unused', () => {
  const memory = new FacetMemory(4 * COLUMN_BYTES)
  const columns = Array.from({ length: 5 }, newColumn)
  memory.beginSearch()
  const places = columns.map((column) => memory.place(column, true))
  assert.equal(new Set(places.slice(0, 4)).size, 4)
  assert.equal(places[4], undefined, 'there is no room')
  assert.equal(memory.columnBytes, 4 * COLUMN_BYTES)

  memory.beginSearch()
  assert.equal(memory.place(columns[4]!, true), undefined, 'the others are in use')
  for (let i = 0; i < 300; i++) {
    memory.beginSearch()
    memory.place(columns[0]!, true)
    memory.place(columns[4]!, true)
  }
  assert.notEqual(memory.place(columns[4]!, true), undefined)
  assert.equal(memory.columnBytes, 2 * COLUMN_BYTES)
})

test('columns in use are not evicted', () => {
  const memory = new FacetMemory(4 * COLUMN_BYTES)
  const columns = Array.from({ length: 5 }, newColumn)
  for (let i = 0; i < 1_000; i++) {
    memory.beginSearch()
    const found = columns.map((column) => memory.place(column, true) !== undefined)
    assert.deepEqual(found, [true, true, true, true, false])
  }
})

test('the tables of an interrupted search are zero in the next, and no longer valid', () => {
  const memory = new FacetMemory(COLUMN_BYTES, 128)
  const column = newColumn()
  const set = newBitset(DOC_COUNT)
  for (const doc of [0, 20, 5]) setBit(set, doc)
  memory.beginSearch()
  const table = memory.takeTable(21)!
  const listed = memory.list(set)
  memory.count(listed, 0, [{ place: memory.place(column, false)!, table }])
  assert.equal(memory.counters(table)[1], 2)
  assert.equal(memory.most(table).counted, 2)
  assert.notEqual(memory.takeTable(64), undefined)
  assert.equal(memory.takeTable(1), undefined, 'there is no room')

  memory.beginSearch()
  assert.throws(() => memory.counters(table), /next search/)
  assert.deepEqual(memory.counters(memory.takeTable(128)!), new Uint32Array(128))
})
