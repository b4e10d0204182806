import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BLOCK_COUNTERS, countKernelsOver, LANES } from './count-kernels.ts'
import { newMemory } from './wasm-memory.ts'

const PLACES = 1_000
const [LIST_AT, COLUMN_AT, TABLE_AT, MAXIMA_AT] = [0, 8_192, 16_384, 49_152]
const memory = newMemory(1)
const kernels = countKernelsOver(memory)
const words = new Uint32Array(memory.buffer)
const halves = new Uint16Array(memory.buffer)

test('numbers at listed places are counted as one by one', () => {
  const input = fc.record({
    numbers: fc.array(fc.nat(300), { minLength: PLACES, maxLength: PLACES }),
    places: fc.array(fc.nat(PLACES - 1), { maxLength: 50, size: 'max' }),
  })
  fc.assert(
    fc.property(input, ({ numbers, places }) => {
      words.fill(7)
      halves.set(places, LIST_AT / 2)
      halves.set(numbers, COLUMN_AT / 2)
      kernels.count(LIST_AT, places.length, COLUMN_AT, TABLE_AT)
      const expected = new Uint32Array(310).fill(7)
      for (const place of places) expected[numbers[place]!]!++
      assert.deepEqual(words.slice(TABLE_AT / 4, TABLE_AT / 4 + 310), expected)
    }),
    { numRuns: 200 },
  )
})

test('the largest of each lane is found, and how many counters are 0', () => {
  const block = fc.array(fc.oneof(fc.constant(0), fc.nat(3), fc.nat(2 ** 31)), {
    minLength: BLOCK_COUNTERS,
    maxLength: BLOCK_COUNTERS,
  })
  fc.assert(
    fc.property(fc.array(block, { maxLength: 5 }), (blocks) => {
      const counters = blocks.flat()
      words.fill(9)
      words.set(counters, TABLE_AT / 4)
      const zeros = kernels.most(TABLE_AT, 4 * counters.length, MAXIMA_AT)
      assert.equal(zeros, counters.filter((count) => count === 0).length)
      const expected = blocks.flatMap((of) =>
        [...Array(LANES).keys()].map((lane) =>
          Math.max(...of.filter((_, i) => i % LANES === lane)),
        ),
      )
      const first = MAXIMA_AT / 4
      const maxima = words.slice(first, first + expected.length + 1)
      assert.deepEqual(maxima, Uint32Array.from([...expected, 9]))
    }),
    { numRuns: 200 },
  )
})
