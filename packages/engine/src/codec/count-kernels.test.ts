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

for (const columns of [1, 2, 3]) {
  test(`counts listed entries of ${columns} columns as a plain loop does`, () => {
    const column = fc.array(fc.nat(300), { minLength: PLACES, maxLength: PLACES })
    const input = fc.record({
      numbers: fc.array(column, { minLength: columns, maxLength: columns }),
      places: fc.array(fc.nat(PLACES - 1), { maxLength: 50, size: 'max' }),
    })
    fc.assert(
      fc.property(input, ({ numbers, places }) => {
        words.fill(7)
        halves.set(places, LIST_AT / 2)
        const at = numbers.map(
          (_, i) => [COLUMN_AT + 2 * PLACES * i, TABLE_AT + 2_048 * i] as const,
        )
        numbers.forEach((of, i) => halves.set(of, at[i]![0] / 2))
        if (columns === 1) kernels.count(LIST_AT, places.length, ...at[0]!)
        else
          kernels[columns === 2 ? 'countTwo' : 'countThree'](LIST_AT, places.length, ...at.flat())
        numbers.forEach((of, i) => {
          const expected = new Uint32Array(310).fill(7)
          for (const place of places) expected[of[place]!]!++
          assert.deepEqual(words.slice(at[i]![1] / 4, at[i]![1] / 4 + 310), expected)
        })
      }),
      { numRuns: 100 },
    )
  })
}

test('finds the maximum of each lane, the number of zero counters, and the counters of a minimum size', () => {
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
      for (const least of [1, 2, 3, 1_000]) {
        const bytes = 4 * counters.length
        const listed = kernels.atLeast(TABLE_AT, bytes, MAXIMA_AT, least, LIST_AT)
        const numbers = counters.flatMap((count, number) => (count >= least ? [number] : []))
        assert.deepEqual([...halves.subarray(LIST_AT / 2, LIST_AT / 2 + listed)], numbers)
      }
    }),
    { numRuns: 200 },
  )
})
