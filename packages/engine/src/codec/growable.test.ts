import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { GrowableF64, GrowableU16, GrowableU32, GrowableU8 } from './growable.ts'

test('pushed numbers stay in order while the array grows', () => {
  const arrays = [new GrowableU8(0), new GrowableU16(1), new GrowableU32(3), new GrowableF64(0)]
  for (const array of arrays) {
    for (let i = 0; i < 200; i++) array.push(i)
    assert.equal(array.length, 200)
    for (let i = 0; i < 200; i++) assert.equal(array.data[i], i)
  }
})

test('a varint is 7 bits a byte, low ones first', () => {
  fc.assert(
    fc.property(fc.array(fc.maxSafeNat()), (numbers) => {
      const output = new GrowableU8(1)
      for (const number of [...numbers, 2 ** 31, 2 ** 32, 127, 128]) {
        const from = output.length
        output.pushVarint(number)
        let value = 0
        for (let i = output.length - 1; i >= from; i--) {
          value = value * 128 + (output.data[i]! & 0x7f)
          assert.equal(output.data[i]! >= 0x80, i + 1 < output.length)
        }
        assert.equal(value, number)
      }
    }),
  )
})
