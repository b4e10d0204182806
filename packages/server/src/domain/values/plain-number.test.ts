import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { isInRange, parseNumber } from './number-literal.ts'
import { plainNumber } from './plain-number.ts'

const digits = (max: number) => fc.stringMatching(new RegExp(`^(0|[1-9][0-9]{0,${max - 1}})$`))
const decimals = fc.stringMatching(/^\.[0-9]{1,16}$/)
const json = fc
  .tuple(fc.constantFrom('', '', '', '-'), digits(18), fc.oneof(fc.constant(''), decimals))
  .map((parts) => parts.join(''))

suite('plain numbers', () => {
  // The twin is parseNumber, which reads every number.
  test('are those that parseNumber reads, to the last bit', () => {
    fc.assert(
      fc.property(json, fc.constantFrom('int32', 'int64', 'float'), (text, type) => {
        const plain = plainNumber(Buffer.from(text), 0, text.length, type)
        if (plain === undefined) return
        const number = parseNumber(text, type)!
        assert.ok(number.integral && isInRange(number, type), text)
        assert.ok(Object.is(plain, number.floor), `${text}: ${plain}, not ${number.floor}`)
      }),
      { numRuns: 5_000 },
    )
  })

  test('are most numbers of a catalog', () => {
    const plain = (text: string, type: 'int32' | 'int64' | 'float') =>
      plainNumber(Buffer.from(text), 0, text.length, type)
    assert.equal(plain('220.11', 'float'), 220.11)
    assert.equal(plain('0.1', 'float'), 0.1)
    assert.equal(plain('123456789.123456', 'float'), 123456789.123456)
    assert.equal(plain('1697394514', 'int64'), 1697394514n)
    assert.equal(plain('413', 'int32'), 413)
    for (const [text, type] of [
      ['-1', 'int32'],
      ['1e3', 'float'],
      ['1.0', 'int32'],
      ['2147483648', 'int32'],
      ['9007199254740993', 'int64'],
      ['12345678.12345678', 'float'],
    ] as const) {
      assert.equal(plain(text, type), undefined, text)
    }
  })
})
