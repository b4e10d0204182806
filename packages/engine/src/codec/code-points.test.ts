import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codePointCount, compareCodePoints } from './code-points.ts'

test('strings are ordered by code point, not by UTF-16 unit', () => {
  const words = ['𐐀', '\uFF21', 'b', 'ab', 'a', '', 'B', 'é']
  assert.deepEqual(words.toSorted(compareCodePoints), ['', 'B', 'a', 'ab', 'b', 'é', '\uFF21', '𐐀'])
})

test('a surrogate pair is one code point', () => {
  assert.equal(codePointCount('𐐀b'), 2)
})
