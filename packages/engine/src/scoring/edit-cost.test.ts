import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { editDistance } from '../rescoring/edit-distance.ts'
import { editCost } from './edit-cost.ts'

/** Typed word, meant word, cost. */
const CASES: readonly (readonly [string, string, number, string])[] = [
  ['jacket', 'jacket', 0, 'nothing is wrong'],
  ['jakcet', 'jacket', 0.9, 'swapped'],
  ['ajcket', 'jacket', 2.8, 'swapped at the beginning'],
  ['hamock', 'hammock', 0.2, 'one letter for two'],
  ['jackket', 'jacket', 1.4, 'two letters for one'],
  ['candl', 'candle', 0.7, 'a vowel left out'],
  ['lanern', 'lantern', 1.5, 'a consonant left out'],
  ['antern', 'lantern', 3.4, 'the first letter left out'],
  ['jancket', 'jacket', 2.8, 'a letter too many'],
  ['helmut', 'helmet', 2.2, 'a vowel for a vowel'],
  ['kandle', 'candle', 4.1, 'the first letter for one that sounds like it'],
  ['jaclet', 'jacket', 2.7, 'the next key'],
  ['torch', 'touch', 3.8, 'any letter for another'],
  ['glove', 'globe', 2.7, 'the next key'],
  ['bench', 'beach', 3.8, 'although a vowel left out and a letter too many cost 3.5'],
  ['clogs', 'clops', 3.8, 'a consonant for any other'],
  ['sneakers', 'sweaters', 7.6, 'two of them'],
  ['café', 'cafe', 2.2, 'letters that were not measured are like vowels'],
  ['молако', 'молоко', 2.2, 'other scripts'],
  ['млоко', 'молоко', 0.7, 'other scripts, left out'],
]

for (const [typed, meant, cost, title] of CASES) {
  test(`${typed} for ${meant} costs ${cost.toFixed(1)}: ${title}`, () => {
    assert.ok(Math.abs(editCost(typed, meant) - cost) < 1e-9, String(editCost(typed, meant)))
  })
}

const words = fc.string({ unit: fc.constantFrom(...'abcdeikst'), minLength: 1, maxLength: 7 })

test('only equal words cost nothing, and each edit costs at least as much as a double letter', () => {
  fc.assert(
    fc.property(words, words, (a, b) => {
      const cost = editCost(a, b)
      assert.equal(cost === 0, a === b)
      assert.ok(cost > 0.2 * editDistance(a, b) - 1e-9)
    }),
  )
})
