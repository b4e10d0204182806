import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  ascending,
  keysFor,
  ordinalOf,
  SHOP,
  shopIndex,
  shopPlan,
} from '../naive/index-for-test.ts'
import type { SynonymForTest } from '../naive/plan-for-test.ts'

const same = (...texts: string[]) => ({ synonyms: texts.map((text) => ({ text })) })

suite('synonyms', () => {
  const titles = ['sofa', 'divan', 'divans', 'living room seat', 'room living seat', 'chair']

  test('a synonym and its inflections match, after the typed word', () => {
    const index = shopIndex(titles)
    assert.deepEqual(keysFor(index, 'sofa'), [1])
    assert.deepEqual(keysFor(index, 'sofa', same('divan')), [1, 3, 2])
    assert.deepEqual(keysFor(index, 'sofas', same('divan')), [1, 3, 2])
  })

  test('a synonym of several words matches side by side, in order, in one searched field', () => {
    const index = shopIndex([
      ...titles,
      'living a room',
      { title: 'living', tags: ['room'] },
      { tags: ['living', 'room'] },
      { tags: ['a living rooms'] },
    ])
    assert.deepEqual(keysFor(index, 'sofa', same('living room')).toSorted(ascending), [1, 4, 10])
    assert.deepEqual(keysFor(index, 'sofa', same('living room seat')), [1, 4])
    const fieldWeights = SHOP.fields.map((_, i) => (i === ordinalOf('tags') ? 1 : 0))
    assert.deepEqual(keysFor(index, 'sofa', { ...same('living room'), fieldWeights }), [10])
  })

  test('the outcome names existing synonyms, once each', () => {
    const index = shopIndex(titles)
    const { expansions } = index.search(
      shopPlan('sofa', same('divan', 'couch', 'living room', 'room divan', 'divans')),
    )
    assert.deepEqual(expansions[0]!.synonyms, [['divan'], ['living', 'room']])
    assert.equal(expansions[0]!.known, true)
  })

  test('a synonym that contains the word itself adds nothing', () => {
    const index = shopIndex(['tv set', 'tv'])
    const scores = (changes: object) =>
      index.search(shopPlan('tv', changes)).hits.map((hit) => hit.textMatchScore)
    assert.deepEqual(scores(same('tv set', 'tvs')), scores({}))
  })

  test('a word with an existing synonym is not corrected', () => {
    const index = shopIndex(['jacket', 'coat'])
    assert.deepEqual(keysFor(index, 'jakcet', { typoMax: 1 }), [1])
    assert.deepEqual(keysFor(index, 'jakcet', { typoMax: 1, ...same('coat') }), [2])
    assert.deepEqual(keysFor(index, 'jakcet', { typoMax: 1, ...same('parka') }), [1])
  })

  test('a synonym of two words counts as both of them', () => {
    const index = shopIndex(['television', 'tv', 'television set', 'set'])
    const synonyms: SynonymForTest[] = [{ text: 'tv', at: 0, span: 2 }]
    const requireAllTerms = true
    assert.deepEqual(keysFor(index, 'television set', { requireAllTerms }), [3])
    const keys = keysFor(index, 'television set', { requireAllTerms, synonyms })
    assert.deepEqual(keys, [3, 2])
    // It is in the upper tier, above the documents with one of the words.
    assert.deepEqual(keysFor(index, 'television set', { synonyms }).slice(0, 2), [3, 2])
  })

  test('adjacent words earn the bonus through a synonym of one word', () => {
    const index = shopIndex(['red couch', 'couch red'])
    const scores = (synonyms: readonly SynonymForTest[]) =>
      index.search(shopPlan('red sofa', { synonyms })).hits.map((hit) => hit.textMatchScore)
    assert.equal(new Set(scores([])).size, 1)
    assert.equal(new Set(scores([{ text: 'couch', at: 1 }])).size, 2)
  })

  test('a misspelt word finds the synonyms of the meant word', () => {
    const index = shopIndex(['pants', 'trousers', 'leg wear', 'hat'])
    const explained = [['pants', 'trousers']] as const
    const options = { typoMax: 1, explained } as const
    assert.deepEqual(keysFor(index, 'patns', options), [1, 2])
    assert.deepEqual(keysFor(index, 'patns', { typoMax: 1 }), [1])
    const [slot] = index.search(shopPlan('patns', options)).expansions
    assert.deepEqual([slot!.corrections, slot!.explained], [['pants'], [['trousers']]])
    const phrase = { typoMax: 1, explained: [['pants', 'leg wear']] } as const
    assert.deepEqual(keysFor(index, 'patns', phrase), [1, 3])
    // A word of the catalog is not misspelt.
    assert.deepEqual(keysFor(index, 'hat', { typoMax: 1, explained: [['cat', 'pants']] }), [4])
  })

  test('a word known only to the set may be the meant one', () => {
    const index = shopIndex(['pants', 'hat', 'slack'])
    const explained = [['slacks', 'pants']] as const
    assert.deepEqual(keysFor(shopIndex(['pants']), 'slakcs', { typoMax: 1, explained }), [1])
    const [slot] = index.search(shopPlan('slaccks', { typoMax: 2, explained })).expansions
    assert.deepEqual(slot!.explained, [['pants']])
    assert.equal(slot!.known, false)
    assert.deepEqual(keysFor(index, 'slakcs', { typoMax: 0, explained }), [])
  })

  test('a word finds the synonyms of the words that it begins, behind these', () => {
    const explained = [['sofa', 'couch']] as const
    const index = shopIndex(['couch', 'sofa', 'soft', 'hat'])
    const sof = { prefix: 'always', explained } as const
    assert.deepEqual(keysFor(index, 'sof', sof), [3, 2, 1])
    assert.deepEqual(keysFor(index, 'so', sof), [3, 2])
    assert.deepEqual(keysFor(index, 'sof', { explained }), [])
    // The set alone knows the word, which is then no misspelling either.
    const only = shopIndex(['couch', 'soft'])
    const known = { prefix: 'always', typoMax: 1, explained: [['sofabed', 'couch']] } as const
    assert.equal(keysFor(only, 'sofa', known)[0], 1)
    const [slot] = only.search(shopPlan('sofa', known)).expansions
    assert.deepEqual(slot!.explained, [['couch']])
  })
})
