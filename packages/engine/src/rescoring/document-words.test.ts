import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAnalyzer } from '../analysis/create-analyzer.ts'
import { encodeImpact } from '../scoring/formula.ts'
import { impactsIn, wordsOf } from './document-words.ts'
import { analyzeCandidate } from './candidate-document.ts'

const text = { type: 'string', searchable: true, facet: false, sort: false } as const

test('has each form once, and the impacts of each stem by field', () => {
  const schema = {
    fields: [
      { ...text, name: 'title' },
      { ...text, name: 'code', searchable: false },
      { ...text, name: 'text' },
    ],
  }
  const values = ['red shoes', 'shoe', 'a shoe, and shoes again']
  const document = analyzeCandidate({ docKey: 1, id: 'a', values }, schema, createAnalyzer('en'))
  const words = wordsOf(document)
  assert.deepEqual(
    words.forms.map(({ form, stem }) => [form, stem]),
    [
      ['red', 'red'],
      ['shoes', 'shoe'],
      ['a', 'a'],
      ['shoe', 'shoe'],
      ['and', 'and'],
      ['again', 'again'],
    ],
  )
  assert.deepEqual(impactsIn(words, 'shoe', 3), [encodeImpact(1, 2), 0, encodeImpact(2, 5)])
  assert.deepEqual(impactsIn(words, 'red', 3), [encodeImpact(1, 2), 0, 0])
  assert.deepEqual(impactsIn(words, 'shoe', 1), [encodeImpact(1, 2)])
  assert.deepEqual(impactsIn(words, 'boot', 2), [0, 0])
  assert.equal(wordsOf(document), words)
})
