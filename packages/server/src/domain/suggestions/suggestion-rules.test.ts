import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createAnalyzer } from '@aisle/engine'
import { superlinear } from '@aisle/testing'
import fc from 'fast-check'
import { Gradual } from '../turns/gradual.ts'
import { completeConfig, stemsOf, SuggestionRules } from './suggestion-rules.ts'

const analyzer = createAnalyzer()

suite('suggestions that a store blocks', () => {
  test('are those that hold a blocked text, word for word', () => {
    const text = fc
      .array(fc.constantFrom('red', 'blue', 'shoe', 'tent'), { minLength: 1, maxLength: 5 })
      .map((words) => words.join(' '))
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), text, (blocklist, suggestion) => {
        const stems = stemsOf(suggestion, analyzer)
        const naive = blocklist.some((one) => {
          const phrase = stemsOf(one, analyzer)
          return stems.some((_, at) => phrase.every((part, i) => stems[at + i] === part))
        })
        assert.equal(rulesOf(blocklist).blocks(stems), naive)
      }),
    )
  })

  test('may all begin with the same word: the time to compile them grows with their number', () => {
    const lists = (chars: number): string =>
      Array.from({ length: chars / 8 }, (_, i) => `a b${i}`).join('\n')
    const problem = superlinear((text) => rulesOf(text.split('\n')), lists)
    assert.equal(problem, undefined)
  })
})

function rulesOf(blocklist: readonly string[]): SuggestionRules {
  const config = completeConfig({ blocklist: [...blocklist] })
  return new Gradual(() => SuggestionRules.compile(config, analyzer)).value
}
