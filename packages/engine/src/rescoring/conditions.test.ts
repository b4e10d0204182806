import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Phrase } from '../query/plan.ts'
import { EXACT_VALUE_STEP } from '../scoring/formula.ts'
import { ascending, keysFor, shopIndex, shopPlan } from '../naive/index-for-test.ts'
import { tinyAnalyzer } from '../naive/tiny-analyzer.ts'

/** A phrase in these spellings, word by word. */
function phrase(inflected: boolean, ...spellings: string[]): Phrase {
  return {
    inflected,
    spellings: spellings.map((text) =>
      text.split(' ').map((form) => ({ form, stem: tinyAnalyzer.stem(form) })),
    ),
  }
}

suite('phrases and exclusions', () => {
  const index = shopIndex([
    'red shoe',
    'shoe red',
    'red shoes',
    { title: 'red', tags: ['shoe'] },
    { title: 'hat', tags: ['red', 'shoe'] },
    { title: 'hat', tags: ['blue', 'the red shoe'] },
    't-shirt red',
    'tshirt red',
  ])
  const keys = (changes: Parameters<typeof keysFor>[2], text = '') =>
    keysFor(index, text, changes).toSorted(ascending)

  test('words must be side by side, in order, in one value of one field', () => {
    assert.deepEqual(keys({ phrases: [phrase(false, 'red shoe')] }), [1, 6])
    assert.deepEqual(keys({ phrases: [phrase(true, 'red shoe')] }), [1, 3, 6])
    assert.deepEqual(keys({ phrases: [phrase(false, 'shoes')] }), [3])
    assert.deepEqual(keys({ phrases: [phrase(false, 'red shoe hat')] }), [])
  })

  test('only searched fields count', () => {
    const fieldWeights = [1, 0, 0, 0, 0, 0, 0]
    assert.deepEqual(keys({ phrases: [phrase(false, 'red shoe')], fieldWeights }), [1])
    assert.deepEqual(
      keys({ exclusions: [phrase(false, 'shoe')], fieldWeights }),
      [3, 4, 5, 6, 7, 8],
    )
  })

  test('any spelling matches; a joined token has the position of its first part', () => {
    assert.deepEqual(keys({ phrases: [phrase(false, 't shirt red')] }), [7])
    assert.deepEqual(keys({ phrases: [phrase(false, 'tshirt red')] }), [8])
    assert.deepEqual(keys({ phrases: [phrase(false, 't shirt red', 'tshirt red')] }), [7, 8])
    assert.deepEqual(keys({ phrases: [phrase(false, 'tshirt')] }), [7, 8])
  })

  test('all phrases must match, and no exclusion; words still match as usual', () => {
    const red = phrase(false, 'red shoe')
    assert.deepEqual(keys({ phrases: [red, phrase(false, 'the')] }), [6])
    assert.deepEqual(keys({ phrases: [red], exclusions: [phrase(true, 'the')] }), [1])
    assert.deepEqual(keys({ exclusions: [phrase(true, 'red')] }, 'hat'), [])
    assert.deepEqual(keys({ phrases: [red] }, 'hat'), [6])
  })
})

suite('exact value', () => {
  const raised = (documents: Parameters<typeof shopIndex>[0], text: string, weights?: number[]) => {
    const exactValue = tinyAnalyzer
      .analyze(text)
      .filter((token) => token.kind !== 'joined')
      .map((token) => token.form)
    const fieldWeights = weights ?? [1, 1, 0, 0, 0, 1, 1]
    const { hits } = shopIndex(documents).search(shopPlan(text, { exactValue, fieldWeights }))
    return hits
      .filter(({ textMatchScore }) => textMatchScore >= EXACT_VALUE_STEP)
      .map(({ docKey }) => docKey)
      .toSorted(ascending)
  }

  test('a value equals the query if it has the same words in order, and no others', () => {
    const titles = ['Red Shoe', 'red shoes', 'shoe red', 'red shoe new', 'the red shoe', 'red']
    assert.deepEqual(raised(titles, 'red shoe'), [1])
    assert.deepEqual(raised(['10 mm', '10mm', '10mm pipe'], '10mm'), [1, 2])
    assert.deepEqual(raised(['t-shirt', 't shirt', 'tshirt'], 't-shirt'), [1, 2])
  })

  test('each element of a list is a value', () => {
    const lists = [
      { tags: ['blue', 'red shoe'] },
      { tags: ['red', 'shoe'] },
      { tags: ['', 'red shoe', 'x'] },
    ]
    assert.deepEqual(raised(lists, 'red shoe'), [1, 3])
  })

  test('fields with a low weight compared with the heaviest do not count', () => {
    const documents = [{ title: 'red' }, { title: 'hat', tags: ['red'] }]
    assert.deepEqual(raised(documents, 'red', [5, 1, 0, 0, 0, 0, 0]), [1, 2])
    assert.deepEqual(raised(documents, 'red', [5, 0.9, 0, 0, 0, 0, 0]), [1])
    assert.deepEqual(raised(documents, 'red', [0, 0.5, 0, 0, 0, 0, 0]), [2])
  })

  test('all such documents come first, regardless of their number', () => {
    const documents = Array.from({ length: 400 }, (_, i) => (i % 2 === 0 ? 'red' : 'red red hat'))
    const index = shopIndex(documents)
    const { hits } = index.search(shopPlan('red', { exactValue: ['red'] }))
    const isExact = hits.map(({ docKey }) => docKey % 2 === 1)
    assert.deepEqual(isExact, [...Array(200).fill(true), ...Array(200).fill(false)])
  })
})
