import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAnalyzer, type QuerySlot, type SlotExpansion } from '@aisle/engine'
import { correctQuery } from './correct-query.ts'
import { matchWords } from './match-words.ts'
import { planSlots } from './query-words.ts'

const analyzer = createAnalyzer('en')
const NOTHING: SlotExpansion = {
  known: true,
  corrections: [],
  prefix: false,
  splits: [],
  joined: [],
  compounds: [],
  infix: false,
  synonyms: [],
}
const words = (q: string): readonly QuerySlot[] =>
  planSlots(q, analyzer, {
    typoMax: 2,
    typoMinLen1: 4,
    typoMinLen2: 7,
    typoNumbers: false,
    prefixMode: 'always',
  }) ?? []

test('everything that stood for a word is marked', () => {
  const slots = words('red shoes')
  const marked = matchWords(
    slots,
    [
      { ...NOTHING, joined: ['redshoe'] },
      { ...NOTHING, corrections: ['shows'], prefix: true, splits: [{ left: 'sho', right: 'es' }] },
    ],
    analyzer,
  )
  const stems = ['red', 'redshoe', 'shoes', 'shows'].map((form) => analyzer.stem(form))
  assert.deepEqual([...marked.stems], stems)
  assert.deepEqual(marked.prefixes, ['shoes'])
  assert.deepEqual(marked.pairs, [{ left: analyzer.stem('sho'), right: analyzer.stem('es') }])
})

test('a corrected query keeps what was not corrected as it was typed', () => {
  const q = 'Red  JAKCET, large'
  const expansions = [
    NOTHING,
    { ...NOTHING, known: false, corrections: ['jacket', 'racket'] },
    NOTHING,
  ]
  assert.equal(correctQuery(q, words(q), expansions, analyzer), 'Red  jacket, large')
})

test('a word that is known, or has no correction, is no correction', () => {
  const expansions = [
    { ...NOTHING, corrections: ['read'] },
    { ...NOTHING, known: false },
  ]
  assert.equal(correctQuery('red zzzz', words('red zzzz'), expansions, analyzer), undefined)
})
