import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { wordSums, type WordBound, type WordSum } from './word-sums.ts'

/** Which alternatives of a word a document has. */
type Held = 'nothing' | 'lesser' | 'main'

const HELD: readonly Held[] = ['nothing', 'lesser', 'main']

const arbitraryBounds = (maxLength: number) =>
  fc
    .array(
      fc.record({ most: fc.integer({ min: 1, max: 9 }), lesser: fc.nat(9), carries: fc.boolean() }),
      { minLength: 1, maxLength },
    )
    .map((words) =>
      words
        .map(({ most, lesser, carries }): WordBound => {
          return { most, lesserMost: Math.min(most, lesser), carries }
        })
        .sort((a, b) => Number(b.carries) - Number(a.carries)),
    )

function has(sum: WordSum, held: readonly Held[]): boolean {
  switch (sum.kind) {
    case 'none':
      return false
    case 'all':
      return true
    case 'word':
      return sum.main ? held[sum.word] === 'main' : held[sum.word] !== 'nothing'
    case 'and':
      return has(sum.word, held) && has(sum.rest, held)
    case 'or':
      return sum.parts.some((part) => has(part, held))
  }
}

function mayReach(bounds: readonly WordBound[], held: readonly Held[], scoreMin: number): boolean {
  const sum = bounds.reduce((points, { most, lesserMost }, word) => {
    if (held[word] === 'main') return points + most
    return held[word] === 'lesser' ? points + lesserMost : points
  }, 0)
  return bounds.some(({ carries }, word) => carries && held[word] !== 'nothing') && sum >= scoreMin
}

/** One document for every combination of alternatives of these words. */
function documents(wordCount: number): Held[][] {
  let all: Held[][] = [[]]
  for (let word = 0; word < wordCount; word++) {
    all = all.flatMap((held) => HELD.map((one) => [...held, one]))
  }
  return all
}

suite('word sums', () => {
  test('contain exactly the documents whose words reach a score', () => {
    fc.assert(
      fc.property(arbitraryBounds(4), fc.integer({ min: -1, max: 40 }), (bounds, scoreMin) => {
        const { documents: sum, until } = wordSums(bounds, scoreMin)
        for (const held of documents(bounds.length)) {
          assert.equal(has(sum, held), mayReach(bounds, held, scoreMin))
          if (until < 100) assert.equal(has(sum, held), mayReach(bounds, held, until))
        }
      }),
      { numRuns: 300 },
    )
  })

  test('of many words contain all such documents', () => {
    fc.assert(
      fc.property(
        arbitraryBounds(9),
        fc.array(fc.constantFrom(...HELD), { minLength: 9, maxLength: 9 }),
        fc.integer({ min: -1, max: 60 }),
        (bounds, held, scoreMin) => {
          const { documents: sum } = wordSums(bounds, scoreMin)
          if (mayReach(bounds, held, scoreMin)) assert(has(sum, held))
        },
      ),
      { numRuns: 2_000 },
    )
  })
})
