import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { newBitset, setBit } from '../../codec/bitset.ts'
import { columnOf, fieldForTest, valuesAt } from '../../columns/column-for-test.ts'
import type { Column } from '../../columns/column-reader.ts'
import { borrowCounts, giveBackCounts } from './count-arrays.ts'
import { SegmentCounts } from './segment-counts.ts'

const DOC_COUNT = 3_000
const VALUE_COUNT = 400
/** Columns with more ordinals record the counted ones. */
const TOUCHED_ORDS_MIN = 300

/** 16 bits wide, every seventh document without a value. */
const columns = (['string', 'string[]', 'int32', 'int32[]'] as const).map((type) => {
  const values = Array.from({ length: DOC_COUNT }, (_, doc) => {
    if (doc % 7 === 6) return undefined
    const number = (doc * 31) % VALUE_COUNT
    const elements = [number, (doc * 17) % VALUE_COUNT]
    if (type === 'int32') return number
    if (type === 'int32[]') return elements
    return type === 'string' ? `value ${number}` : elements.map((element) => `value ${element}`)
  })
  return columnOf(fieldForTest(type), values)!
})

const COLUMN = fc.constantFrom(...columns)

/** Counts by label, without any optimisation. */
function naiveCounts(column: Column, docs: readonly number[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const doc of docs) {
    for (const value of valuesAt(column, doc)) {
      counts.set(String(value), (counts.get(String(value)) ?? 0) + 1)
    }
  }
  return counts
}

/** Takes the counts out of a segment's, and returns its arrays. */
function taken(counts: SegmentCounts, isDense: boolean): Map<string, number> {
  const { column } = counts
  const found = new Map<string, number>()
  if (column.type === 'string') {
    const totals = new Uint32Array(VALUE_COUNT)
    const ids = new Uint32Array(VALUE_COUNT + 1)
    if (isDense) {
      counts.moveAll(totals)
      totals.forEach((total, id) => total > 0 && found.set(column.dictionary!.text(id), total))
    } else {
      const count = counts.moveListed(totals, ids, 0)
      for (const id of ids.subarray(0, count)) found.set(column.dictionary!.text(id), totals[id]!)
      assert.equal(found.size, totals.filter((total) => total > 0).length)
    }
  } else {
    const numbers = counts.takeNumbers()
    assert.deepEqual(
      [...numbers.ranks],
      [...numbers.ranks].sort((a, b) => a - b),
    )
    numbers.ranks.forEach((rank, i) => found.set(String(column.number(rank)), numbers.counts[i]!))
  }
  counts.release()
  return found
}

test('few documents, many, and all live ones are counted like one by one', () => {
  const lists = fc.array(fc.uniqueArray(fc.nat(DOC_COUNT - 1), { maxLength: 150, size: 'max' }), {
    maxLength: 5,
  })
  fc.assert(
    fc.property(COLUMN, lists, fc.boolean(), fc.boolean(), (column, given, areLive, isDense) => {
      const docs = [...new Set(given.flat())]
      const counts = new SegmentCounts(column, TOUCHED_ORDS_MIN)
      if (areLive) {
        const live = newBitset(DOC_COUNT)
        for (const doc of docs) setBit(live, doc)
        counts.addLive(live, live)
      } else for (const list of inLists(docs)) counts.add(Uint32Array.from(list), list.length)
      assert.deepEqual(taken(counts, isDense), naiveCounts(column, docs))
    }),
    { numRuns: 300 },
  )
})

function* inLists(docs: readonly number[]): Generator<readonly number[]> {
  for (let i = 0; i < docs.length; i += 60) yield docs.slice(i, i + 60)
}

test('returned arrays are zero after any use', () => {
  for (const column of columns) {
    for (const count of [5, DOC_COUNT]) {
      const counts = new SegmentCounts(column, TOUCHED_ORDS_MIN)
      counts.add(
        Uint32Array.from({ length: count }, (_, i) => i),
        count,
      )
      if (count === 5) counts.release()
      else taken(counts, true)
      const borrowed = Array.from({ length: 6 }, () => borrowCounts(1_000))
      for (const array of borrowed) {
        assert.ok(array.every((number) => number === 0))
        giveBackCounts(array)
      }
    }
  }
})
