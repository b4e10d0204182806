import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import {
  andInto,
  clearBit,
  fillBits,
  hasBit,
  invert,
  newBitset,
  orInto,
  popcount,
  setBit,
} from './bitset.ts'

const arbitraryBits = fc.integer({ min: 1, max: 200 }).chain((size) =>
  fc.record({
    size: fc.constant(size),
    a: fc.uniqueArray(fc.nat(size - 1)),
    b: fc.uniqueArray(fc.nat(size - 1)),
  }),
)

const bitsOf = (size: number, members: readonly number[]): Uint32Array => {
  const bits = newBitset(size)
  for (const member of members) setBit(bits, member)
  return bits
}

suite('bitsets', () => {
  test('behave like sets and never change bits after the last one', () => {
    fc.assert(
      fc.property(arbitraryBits, ({ size, a, b }) => {
        const all = Array.from({ length: size }, (_, i) => i)
        const check = (bits: Uint32Array, wanted: readonly number[]): void => {
          assert.deepEqual(
            all.filter((i) => hasBit(bits, i)),
            wanted,
          )
          assert.equal(popcount(bits), wanted.length)
        }
        const inA = new Set(a)
        const inB = new Set(b)
        const and = bitsOf(size, a)
        andInto(and, bitsOf(size, b))
        check(
          and,
          all.filter((i) => inA.has(i) && inB.has(i)),
        )
        const or = bitsOf(size, a)
        orInto(or, bitsOf(size, b))
        check(
          or,
          all.filter((i) => inA.has(i) || inB.has(i)),
        )
        invert(or, size)
        check(
          or,
          all.filter((i) => !inA.has(i) && !inB.has(i)),
        )
        const filled = newBitset(size)
        fillBits(filled, size)
        check(filled, all)
        for (const i of a) clearBit(filled, i)
        check(
          filled,
          all.filter((i) => !inA.has(i)),
        )
      }),
    )
  })
})
