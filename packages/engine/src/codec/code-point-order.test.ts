import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compareCodePoints } from './code-points.ts'
import { DictionaryReader, DictionaryWriter } from '../dictionary/shared-dictionary.ts'
import { compareByCodePoint } from './code-point-order.ts'

test('characters beyond U+FFFF come last, where UTF-16 units would put them before U+E000', () => {
  assert.ok(compareByCodePoint('\u{1f600}', '\uff21') > 0)
  assert.ok(compareByCodePoint('\ue000', '\u{10000}') < 0)
  assert.ok(compareByCodePoint('\ud7ff', '\ue000') < 0)
  assert.ok(compareByCodePoint('ab', 'abc') < 0)
  assert.equal(compareByCodePoint('', ''), 0)
})

test('the order is that of arrays of code points, in a dictionary too', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', '\ud7ff', '\ue000', '\uffff', '𐐀', '😀'),
  })
  fc.assert(
    fc.property(text, text, (a, b) => {
      assert.equal(Math.sign(compareByCodePoint(a, b)), Math.sign(compareCodePoints(a, b)))
      const dictionary = new DictionaryWriter()
      const [idA, idB] = [dictionary.intern(a), dictionary.intern(b)]
      const reader = new DictionaryReader(dictionary.handles())
      assert.equal(Math.sign(reader.compare(idA, idB)), Math.sign(compareCodePoints(a, b)))
    }),
  )
})
