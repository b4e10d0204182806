import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { RANGE_ALIGN, rangeKernelsOver } from './range-kernels.ts'
import { newMemory } from './wasm-memory.ts'

const [COLUMN_AT, BITS_AT, LIST_AT] = [0, 8_192, 16_384]
const memory = newMemory(1)
const kernels = rangeKernelsOver(memory)
const bytes = new Uint8Array(memory.buffer)
const halves = new Uint16Array(memory.buffer)

test('sets the bits of numbers in a range and lists the edges', () => {
  const number = fc.oneof(fc.nat(65_535), fc.nat(5))
  const input = fc.record({
    column: fc.array(number, { minLength: 1, maxLength: 500, size: 'max' }),
    low: number,
    span: number,
    edgeA: number,
    edgeB: number,
  })
  fc.assert(
    fc.property(input, ({ column, low, span, edgeA, edgeB }) => {
      const size = Math.ceil((2 * column.length) / RANGE_ALIGN) * RANGE_ALIGN
      const all = Array.from({ length: size / 2 }, (_, i) => column[i] ?? 65_535)
      const check = (what: string) => {
        all.forEach((value, i) => {
          const isIn = ((value - low) & 65_535) <= span
          assert.equal((bytes[BITS_AT + (i >>> 3)]! >>> (i & 7)) & 1, isIn ? 1 : 0, what)
        })
        assert.equal(bytes[BITS_AT + size / 16], 0x55, 'nothing is written behind')
      }
      bytes.fill(0x55)
      halves.set(all, COLUMN_AT)
      kernels.within(COLUMN_AT, size, low, span, BITS_AT)
      check('without edges')
      bytes.fill(0x55, BITS_AT)
      const listed = kernels.withinEdges(COLUMN_AT, size, low, span, BITS_AT, edgeA, edgeB, LIST_AT)
      check('with edges')
      const places = all.flatMap((value, i) => (value === edgeA || value === edgeB ? [i] : []))
      assert.deepEqual([...new Uint16Array(memory.buffer, LIST_AT, listed)], places)
    }),
    { numRuns: 300 },
  )
})
