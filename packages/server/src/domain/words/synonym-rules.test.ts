import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { SYNONYMS_PER_WORD_MAX, type SynonymItem } from '@aisle/contract'
import { createAnalyzer } from '@aisle/engine'
import { refusal } from '../plan/plan-fixture.ts'
import { planSlots } from '../query/query-words.ts'
import { Gradual } from '../turns/gradual.ts'
import { compileStopwords } from './stopword-rules.ts'
import { checkSynonymItems, compileSynonyms } from './synonym-rules.ts'

const analyzer = createAnalyzer()
const OPTIONS = {
  typoMax: 2,
  typoMinLen1: 4,
  typoMinLen2: 7,
  typoNumbers: false,
  prefixMode: 'always',
  infixMode: 'off',
} as const

/** By word of the query: its synonyms, as texts. */
function synonymsOf(q: string, ...sets: readonly (readonly SynonymItem[])[]): object {
  const synonyms = sets.map((items) => new Gradual(() => compileSynonyms(items, analyzer)).value)
  const slots = planSlots(q, analyzer, { ...OPTIONS, synonyms })
  return Object.fromEntries(
    slots.map((slot) => [
      slot.form,
      slot.synonyms.map(({ words }) => words.map((word) => word.form).join(' ')),
    ]),
  )
}

suite('synonyms', () => {
  const sofa: SynonymItem[] = [{ synonyms: ['sofa', 'couch', 'love seat'] }]
  const shoes: SynonymItem[] = [{ root: 'sneaker', synonyms: ['running shoe', 'trainers'] }]

  const cases: readonly (readonly [string, readonly SynonymItem[], object])[] = [
    // Multi-way: each finds the others, in any inflection, many words on either side.
    ['couch', sofa, { couch: ['sofa', 'love seat'] }],
    ['red SOFAS', sofa, { red: [], sofas: ['couch', 'love seat'] }],
    ['love seat', sofa, { love: ['sofa', 'couch'], seat: ['sofa', 'couch'] }],
    ['seat love', sofa, { seat: [], love: [] }],
    ['love a seat', sofa, { love: [], a: [], seat: [] }],
    // One-way.
    ['sneakers', shoes, { sneakers: ['running shoe', 'trainers'] }],
    ['trainers', shoes, { trainers: [] }],
    // Joined and split spellings of the looked-for text are the same text.
    ['tshirt', [{ root: 't-shirt', synonyms: ['tee'] }], { tshirt: ['tee'] }],
    ['t-shirt', [{ root: 'tshirt', synonyms: ['tee'] }], { t: ['tee'], shirt: ['tee'] }],
    [
      'bed spread',
      [{ root: 'bedspread', synonyms: ['quilt'] }],
      { bed: ['quilt'], spread: ['quilt'] },
    ],
    ['bedspread', [{ root: 'bed spread', synonyms: ['quilt'] }], { bedspread: ['quilt'] }],
    // So are units, and the joined spelling of what stands for it is searched too.
    ['10 inches', [{ root: '10"', synonyms: ['medium'] }], { '10in': ['medium'] }],
    // Half of a size has no separate synonyms.
    ['10 inches', [{ root: 'in', synonyms: ['inside'] }], { '10in': [] }],
    ['10 inches', [{ root: '10', synonyms: ['ten'] }], { '10in': [] }],
    ['10 inches', [{ root: '10 in', synonyms: ['25 cm'] }], { '10in': ['25 cm', '25cm'] }],
    ['tee', [{ root: 'tee', synonyms: ['t-shirt'] }], { tee: ['t shirt', 'tshirt'] }],
    ['登山靴', [{ root: '登山靴', synonyms: ['boots'] }], { 登山: ['boots'], 靴: ['boots'] }],
    ['山靴', [{ root: '登山靴', synonyms: ['boots'] }], { 山: [], 靴: [] }],
    // A word that only ends like an inflection is not a spelling of both words.
    ['chair red', [{ root: 'chair', synonyms: ['stool'] }], { chair: ['stool'], red: [] }],
    ['seat', [{ root: 'seat', synonyms: ['chair-red'] }], { seat: ['chair red'] }],
    // The longest text wins, and what is inside it is not looked at again.
    [
      'running shoe',
      [
        { root: 'shoe', synonyms: ['footwear'] },
        { root: 'running shoe', synonyms: ['sneaker'] },
      ],
      { running: ['sneaker'], shoe: ['sneaker'] },
    ],
    // A word twice in a query is one slot.
    ['sofa sofa', sofa, { sofa: ['couch', 'love seat'] }],
    ['', sofa, {}],
    ['*', sofa, {}],
    ['sofa', [], { sofa: [] }],
  ]
  for (const [q, items, expected] of cases) {
    test(`"${q}" with ${JSON.stringify(items).slice(0, 60)}`, () => {
      assert.deepEqual(synonymsOf(q, items), expected)
    })
  }

  test('several sets add up, and each text counts once', () => {
    assert.deepEqual(synonymsOf('couch', sofa, [{ root: 'couch', synonyms: ['sofa', 'divan'] }]), {
      couch: ['sofa', 'love seat', 'divan'],
    })
  })

  test('the number of synonyms of a word is limited, and the caller is informed', () => {
    const items = [{ root: 'x', synonyms: Array.from({ length: 60 }, (_, i) => `word${i}`) }]
    let cuts = 0
    const [slot] = planSlots('x', analyzer, {
      ...OPTIONS,
      synonyms: [new Gradual(() => compileSynonyms(items, analyzer)).value],
      onSynonymsCut: () => cuts++,
    })!
    assert.equal(slot!.synonyms.length, SYNONYMS_PER_WORD_MAX)
    assert.equal(cuts, 1)
  })

  test('entries without meaning are rejected, with their place', () => {
    const items = [
      { synonyms: ['a', 'b'] },
      { synonyms: ['alone'] },
      { root: '!!!', synonyms: ['a', ' - '] },
    ]
    const error = refusal(
      () => new Gradual(() => checkSynonymItems(items, analyzer)).value,
      'invalid_parameter',
    )
    assert.deepEqual(
      error.details.map((detail) => detail.param),
      ['items[1].synonyms', 'items[2].synonyms[1]', 'items[2].root'],
    )
  })
})

suite('stopword sets', () => {
  const words = (q: string, stopwords: readonly string[], items: readonly SynonymItem[] = []) =>
    planSlots(q, analyzer, {
      ...OPTIONS,
      stopwords: [new Gradual(() => compileStopwords(stopwords, analyzer)).value],
      synonyms: [new Gradual(() => compileSynonyms(items, analyzer)).value],
    })!.map((slot) => slot.form)

  const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['cheap red shoes', ['cheap'], ['red', 'shoes']],
    ['CHEAP shoes', ['Cheap'], ['shoes']],
    ['cheaper shoes', ['cheap'], ['cheaper', 'shoes']],
    ['buy shoes online', ['buy online'], ['buy', 'shoes', 'online']],
    ['buy online shoes', ['buy online'], ['shoes']],
    // If nothing would be left, nothing is dropped.
    ['cheap', ['cheap'], ['cheap']],
    ['buy cheap', ['cheap', 'buy'], ['buy', 'cheap']],
  ]
  for (const [q, stopwords, expected] of cases) {
    test(`"${q}" without ${stopwords.join(', ')} is ${expected.join(' ')}`, () => {
      assert.deepEqual(words(q, stopwords), expected)
    })
  }

  test('a word that is left out still counts in the text of a synonym', () => {
    const items = [{ root: 'cheap shoes', synonyms: ['outlet'] }]
    assert.deepEqual(words('cheap shoes', ['cheap'], items), ['shoes'])
    const [slot] = planSlots('cheap shoes', analyzer, {
      ...OPTIONS,
      stopwords: [new Gradual(() => compileStopwords(['cheap'], analyzer)).value],
      synonyms: [new Gradual(() => compileSynonyms(items, analyzer)).value],
    })!
    assert.equal(slot!.synonyms[0]!.words[0]!.form, 'outlet')
  })

  test('the last word left is complete if a word after it was dropped', () => {
    const [slot] = planSlots('shoes cheap', analyzer, {
      ...OPTIONS,
      stopwords: [new Gradual(() => compileStopwords(['cheap'], analyzer)).value],
    })!
    assert.deepEqual([slot!.form, slot!.prefix], ['shoes', 'off'])
  })
})
