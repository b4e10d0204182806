import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { editDistance, looksBegun } from '@aisle/engine/rescoring'
import { generatedRuns } from '@aisle/testing'
import { begunPattern } from './lucene-pattern.ts'

/** Few letters, so that words are often alike; one takes two UTF-16 units. */
const arbitraryWord = fc
  .array(fc.constantFrom('a', 'b', 'c', '𝒳', '-'), { minLength: 1, maxLength: 8 })
  .map((letters) => letters.join(''))

/** Lucene matches whole forms, its dot any character, and it takes more escapes. */
function matches(pattern: string, form: string): boolean {
  return new RegExp(`^${pattern.replaceAll(String.raw`\-`, '-')}.*$`, 'su').test(form)
}

suite('The pattern of begun words', () => {
  test('has every form that continues a misspelt prefix', () => {
    fc.assert(
      fc.property(arbitraryWord, arbitraryWord, fc.constantFrom(1, 2), (typed, form, edits) => {
        const letters = [...form]
        const isBegun = letters.some((_, at) => {
          const beginning = letters.slice(0, at + 1).join('')
          return looksBegun(typed, beginning) && editDistance(typed, beginning) <= edits
        })
        return !isBegun || matches(begunPattern(typed, edits), form)
      }),
      { numRuns: generatedRuns(2_000) },
    )
  })

  test('has few others', () => {
    const pattern = begunPattern('chromecast', 2)
    for (const form of ['chromecasts', 'chromcast', 'cromecasting', 'hcromecast']) {
      assert.ok(matches(pattern, form), form)
    }
    for (const form of ['carpet', 'table', 'ceramic', 'chromebook', 'measurement']) {
      assert.ok(!matches(pattern, form), form)
    }
  })
})
