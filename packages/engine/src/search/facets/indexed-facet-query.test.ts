import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { createAnalyzer } from '../../analysis/create-analyzer.ts'
import { DictionaryReader, DictionaryWriter } from '../../dictionary/shared-dictionary.ts'
import type { FacetWord } from '../../query/plan.ts'
import { finish } from '../view/steps.ts'
import { ValueIndex } from '../view/value-index.ts'
import { FacetQuery } from './facet-query.ts'
import { mistakesByValue } from './indexed-facet-query.ts'

const analyzer = createAnalyzer('ko')

function indexOf(values: readonly string[]): ValueIndex {
  const dictionary = new DictionaryWriter()
  for (const value of values) dictionary.intern(value)
  const index = new ValueIndex(analyzer, new DictionaryReader(dictionary.handles()))
  finish(index.read({ checkDeadline: () => undefined }))
  return index
}

const letters = fc.constantFrom(...'aabbcdé', '가', '갑', '고', '𝒳', '𝒴', 'ㄱ')
const word = fc.string({ unit: letters, minLength: 1, maxLength: 7 })
const value = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '))

suite('facet queries by the index of words', () => {
  test('find the mistakes of each value that the plain query finds', () => {
    const edits = fc.constantFrom(0 as const, 1 as const, 2 as const)
    fc.assert(
      fc.property(
        fc.uniqueArray(value, { minLength: 1, maxLength: 400 }),
        fc.array(fc.record({ form: word.map(analyzer.fold), edits }), {
          minLength: 1,
          maxLength: 3,
        }),
        (values, query: FacetWord[]) => {
          const index = indexOf(values)
          const plain = new FacetQuery(query)
          const expected = Array.from({ length: index.count }, (_, id) =>
            plain.mistakesIn(index.formsOf(id)),
          )
          const pace = { checkDeadline: () => undefined }
          assert.deepEqual([...finish(mistakesByValue(index, query, pace))], expected)
        },
      ),
    )
  })

  // One value after the other took 18 s for some queries of many words over 200,000 values.
  test('test each beginning of words once: the steps do not grow with the values', () => {
    const stepsFor = (count: number): number => {
      const values = Array.from({ length: count }, (_, i) => `${(i * 7_919) % 1_000_003} brand`)
      const index = indexOf(values)
      let steps = 0
      const pace = { checkDeadline: () => steps++ }
      const query: FacetWord[] = [
        { form: 'zzzz', edits: 2 },
        { form: 'qqqq', edits: 1 },
      ]
      finish(mistakesByValue(index, query, pace))
      return steps
    }
    assert.ok(stepsFor(40_000) < 2 * stepsFor(4_000), `${stepsFor(40_000)}, ${stepsFor(4_000)}`)
  })

  test('values that are added meanwhile are left out', () => {
    const dictionary = new DictionaryWriter()
    for (let i = 0; i < 5_000; i++) dictionary.intern(`red ${i}`)
    const readerNow = (): DictionaryReader => new DictionaryReader(dictionary.handles())
    const index = new ValueIndex(analyzer, readerNow())
    const all = { checkDeadline: () => undefined }
    finish(index.read(all))
    const pace = { ...all, isTurnOver: () => true }
    const steps = mistakesByValue(index, [{ form: 'red', edits: 1 }], pace)
    steps.next()
    for (let i = 0; i < 5_000; i++) dictionary.intern(`red new ${i}`)
    assert.ok(index.follow(readerNow()))
    finish(index.read(all))
    assert.deepEqual([...new Set(finish(steps))], [0])
    assert.equal(finish(mistakesByValue(index, [{ form: 'red', edits: 1 }], all)).length, 10_000)
  })
})
