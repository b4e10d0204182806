import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAnalyzer, type QuerySlot, type SlotExpansion } from '@aisle/engine'
import { AnalysedQuery } from '../query/analysed-query.ts'
import { correctQuery } from '../query/correct-query.ts'
import { matchWords } from './match-words.ts'
import { planSlots } from '../query/query-words.ts'

const analyzer = createAnalyzer('en')
const NOTHING: SlotExpansion = {
  known: true,
  corrections: [],
  unlikely: [],
  prefix: false,
  splits: [],
  apart: [],
  respelt: [],
  explained: [],
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
    infixMode: 'off',
  }) ?? []

test('every spelling that matched a word is marked', () => {
  const marked = matchWords(
    words('red shoes for'),
    [
      { ...NOTHING, joined: ['redshoe'], synonyms: [['crimson'], ['fire', 'engines']] },
      { ...NOTHING, corrections: ['shows'], infix: true, splits: [{ left: 'sho', right: 'es' }] },
      { ...NOTHING, prefix: true },
    ],
    analyzer,
  )
  const stems = (...forms: string[]) => forms.map((form) => analyzer.stem(form))
  const nothing = { sequences: [], prefix: undefined, infixes: [], isLittle: false, weight: 1 }
  assert.deepEqual(marked, [
    {
      ...nothing,
      stems: stems('red', 'redshoe', 'crimson'),
      sequences: [stems('fire', 'engines')],
    },
    {
      ...nothing,
      stems: stems('shoes', 'shows'),
      sequences: [stems('sho', 'es')],
      infixes: ['shoes', 'redshoes', 'shoesfor'],
    },
    { ...nothing, stems: ['for'], prefix: 'for', isLittle: true, weight: 0.5 },
  ])
})

const analysed = (q: string) => new AnalysedQuery(q, analyzer)

test('a corrected query keeps the other words as typed', () => {
  const q = 'Red  JAKCET, large'
  const expansions = [
    NOTHING,
    { ...NOTHING, known: false, corrections: ['jacket', 'racket'] },
    NOTHING,
  ]
  assert.equal(correctQuery(analysed(q), words(q), expansions), 'Red  jacket, large')
})

test('a word that is known, or has no correction, is not corrected', () => {
  const expansions = [
    { ...NOTHING, corrections: ['read'] },
    { ...NOTHING, known: false },
  ]
  assert.equal(correctQuery(analysed('red zzzz'), words('red zzzz'), expansions), undefined)
})

test('a word that the catalog writes as two becomes two; one with a synonym stays', () => {
  const unknown = { ...NOTHING, known: false }
  const splits = [
    { left: 'b', right: 'edspread' },
    { left: 'bed', right: 'spread' },
  ]
  const split = [{ ...unknown, splits, corrections: ['bedstead'] }]
  assert.equal(correctQuery(analysed('bedspread'), words('bedspread'), split), 'bed spread')
  const explained = [{ ...unknown, synonyms: [['sofa']], corrections: ['couch'] }]
  assert.equal(correctQuery(analysed('cuoch'), words('cuoch'), explained), undefined)
})

test('phrases and excluded words stay as typed', () => {
  const q = 'jakcet "jakcet red" -jakcet -"a jakcet" 5" jakcet'
  const expansions = words(q).map(({ form }) =>
    form === 'jakcet' ? { ...NOTHING, known: false, corrections: ['jacket'] } : NOTHING,
  )
  assert.equal(
    correctQuery(analysed(q), words(q), expansions),
    'jacket "jakcet red" -jakcet -"a jakcet" 5" jacket',
  )
})
