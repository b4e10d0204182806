import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { editDistance } from './edit-distance.ts'

const EXAMPLES: [string, string, number][] = [
  ['', '', 0],
  ['', 'abc', 3],
  ['table', 'table', 0],
  ['table', 'tables', 1],
  ['table', 'able', 1],
  ['table', 'cable', 1],
  ['table', 'tabel', 1],
  ['table', 'atble', 1],
  ['table', 'elbat', 4],
  ['ca', 'abc', 3],
  ['kitten', 'sitting', 3],
  ['shoe', 'hsoes', 2],
  ['käse', 'kase', 1],
  ['𐐀b', 'b𐐀', 1],
  ['𐐀', 'x', 1],
]

for (const [a, b, distance] of EXAMPLES) {
  test(`"${a}" is ${distance} edits from "${b}"`, () => {
    assert.equal(editDistance(a, b), distance)
    assert.equal(editDistance(b, a), distance)
  })
}

test('one insertion, deletion, replacement or swap is at most one edit', () => {
  const word = fc.array(fc.constantFrom('a', 'b', 'c', '𐐀'), { minLength: 2, maxLength: 7 })
  fc.assert(
    fc.property(word, fc.nat(5), (letters, place) => {
      const at = place % (letters.length - 1)
      const edited = [
        letters.toSpliced(at, 0, 'b'),
        letters.toSpliced(at, 1),
        letters.toSpliced(at, 1, 'b'),
        letters.toSpliced(at, 2, letters[at + 1]!, letters[at]!),
      ]
      for (const other of edited) {
        assert.ok(editDistance(letters.join(''), other.join('')) <= 1)
      }
    }),
  )
})

test('the distance is 0 only for equal words, and at most the longer length', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', '𐐀'), maxLength: 6 })
  fc.assert(
    fc.property(word, word, (a, b) => {
      const distance = editDistance(a, b)
      assert.equal(distance === 0, a === b)
      assert.ok(distance <= Math.max([...a].length, [...b].length))
      assert.ok(distance >= Math.abs([...a].length - [...b].length))
    }),
  )
})
