import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { lowerTierMax, type WordBonus } from './lower-tier-bonus.ts'

const arbitraryWord = fc
  .record({
    pair: fc.nat(9),
    leading: fc.nat(9),
    vouched: fc.nat(9),
    isSignificant: fc.boolean(),
    quality: fc.constantFrom('strong', 'counted', 'uncounted'),
  })
  .map(({ quality, ...word }): WordBonus => {
    return { ...word, isStrong: quality === 'strong', isCounted: quality !== 'uncounted' }
  })

/** Points of a document, given which words are in the title and which are missing. */
function earned(words: readonly WordBonus[], stands: boolean[], lacks: boolean[]): number {
  return words.reduce((sum, { pair, leading, vouched }, i) => {
    const pairs = stands[i] === true && stands[i + 1] === true ? pair : 0
    return sum + pairs + (stands[i] === true ? leading : 0) + (lacks[i] === true ? vouched : 0)
  }, 0)
}

function waysOf(count: number): boolean[][] {
  const numbers = Array.from({ length: 2 ** count }, (_, i) => i)
  return numbers.map((number) => Array.from({ length: count }, (_, i) => (number & (1 << i)) !== 0))
}

test('no document of the lower tier exceeds the bound, and some document reaches it', () => {
  fc.assert(
    fc.property(fc.array(arbitraryWord, { maxLength: 4 }), (words) => {
      let most = 0
      for (const stands of waysOf(words.length)) {
        for (const lacks of waysOf(words.length)) {
          const isPossible = words.every((word, i) => !(word.isStrong && stands[i]! && lacks[i]!))
          const isLower = words.some(
            ({ isSignificant, isCounted }, i) =>
              isSignificant && lacks[i]! && !(isCounted && stands[i]!),
          )
          if (isPossible && isLower) most = Math.max(most, earned(words, stands, lacks))
        }
      }
      assert.equal(lowerTierMax(words, true), most)
      const unvouched = words.map((word) => ({ ...word, vouched: 0 }))
      assert.equal(lowerTierMax(words, false), lowerTierMax(unvouched, true))
    }),
  )
})

test('two words that count earn no pair in the lower tier', () => {
  const word = { pair: 5, leading: 0, vouched: 3, isSignificant: true }
  const strong = { ...word, isCounted: true, isStrong: true }
  assert.equal(lowerTierMax([strong, { ...strong, pair: 0 }], false), 0)
  assert.equal(lowerTierMax([strong, { ...strong, pair: 0 }], true), 6)
})
