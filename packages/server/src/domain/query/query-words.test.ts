import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { QuerySlot } from '@aisle/engine'
import { plainAnalyzer } from '../plan/plan-fixture.ts'
import { planSlots, type SlotOptions } from './query-words.ts'

const defaults: SlotOptions = {
  typoMax: 2,
  typoMinLen1: 4,
  typoMinLen2: 7,
  typoNumbers: false,
  prefixMode: 'always',
  infixMode: 'off',
}
function slotsOf(q: string, options: Partial<SlotOptions> = {}): readonly QuerySlot[] {
  return planSlots(q, plainAnalyzer, { ...defaults, ...options })
}
const joinedOf = (slots: readonly QuerySlot[]) =>
  slots.map(({ joined }) => joined.map((j) => j.form))

suite('words of a query', () => {
  test('blank, * and other texts without a word match every document', () => {
    for (const q of ['', '  ', '*', ' * ', '!!!', '**', '" "']) assert.deepEqual(slotsOf(q), [])
  })

  test('a word is a slot with its stem and its weight', () => {
    assert.deepEqual(
      slotsOf('Créme for 5 inches').map(({ form, stem, weight, stopword }) => [
        form,
        stem,
        weight,
        stopword,
      ]),
      [
        ['creme', 'creme', 1, false],
        ['for', 'for', 0.5, true],
        ['5inch', '5inch', 0.7, false],
        ['5', '5', 0.7, true],
        ['inch', 'inch', 0.5, true],
      ],
    )
  })

  test('a number and its unit are one word, and its parts alone find nothing', () => {
    const shown = (q: string) =>
      slotsOf(q).map(({ form, stopword, unitOf = '' }) => [form, stopword, unitOf])
    assert.deepEqual(shown('mat 6 inches'), [
      ['mat', false, ''],
      ['6inch', false, ''],
      ['6', true, ''],
      ['inch', true, '6'],
    ])
    // Without another word they would find what the size does not.
    assert.deepEqual(shown('6 inches'), [['6inch', false, '']])
    assert.deepEqual(shown('the 6 inches 5 kg'), [
      ['the', true, ''],
      ['6inch', false, ''],
      ['5kg', false, ''],
    ])
    // A word of the query elsewhere is not a part.
    assert.deepEqual(shown('6 inches mat 6'), [
      ['6inch', false, ''],
      ['inch', true, '6'],
      ['mat', false, ''],
      ['6', false, ''],
    ])
    assert.deepEqual(shown('mat 6 kg 5 kg'), [
      ['mat', false, ''],
      ['6kg', false, ''],
      ['6', true, ''],
      ['kg', true, '6'],
      ['5kg', false, ''],
      ['5', true, ''],
    ])
  })

  test('a size never has edits, nor the spellings of its parts', () => {
    const [size] = slotsOf('6 inches', { typoNumbers: true, typoMinLen1: 1 })
    assert.deepEqual([size!.edits, size!.splits, size!.joined], [0, [], []])
  })

  test('no word is a stopword if the request wants none', () => {
    const [slot] = slotsOf('for', { hasStopwords: false })
    assert.deepEqual([slot!.stopword, slot!.weight], [false, 1])
  })

  test('words with one stem are one slot, the first', () => {
    const slots = slotsOf('shoes red shoe')
    assert.deepEqual(
      slots.map(({ form }) => form),
      ['shoes', 'red'],
    )
    // The last word typed was the second spelling of the first slot.
    assert.deepEqual(
      slots.map(({ prefix }) => prefix),
      ['always', 'off'],
    )
  })

  test('only the last word may be unfinished', () => {
    const prefixes = (q: string, options?: Partial<SlotOptions>) =>
      slotsOf(q, options).map(({ prefix }) => prefix)
    assert.deepEqual(prefixes('red sho'), ['off', 'always'])
    assert.deepEqual(prefixes('red sho '), ['off', 'always'])
    assert.deepEqual(prefixes('red sho', { prefixMode: 'fallback' }), ['off', 'fallback'])
    assert.deepEqual(prefixes('red sho', { prefixMode: 'off' }), ['off', 'off'])
    assert.deepEqual(prefixes('red the'), ['off', 'always'])
    // 5 l is not the beginning of 5 lb where something has 5 l.
    assert.deepEqual(prefixes('5 inch'), ['fallback'])
    assert.deepEqual(prefixes('5 inches', { prefixMode: 'off' }), ['off'])
    assert.deepEqual(prefixes('red 5 inch'), ['off', 'fallback', 'off', 'off'])
  })

  test('any word may be inside of others, quoted ones not', () => {
    const infixes = (infixMode: SlotOptions['infixMode']) =>
      slotsOf('b123 xl \u{10400}\u{10401} \u{10400}\u{10401}\u{10402}', { infixMode }).map(
        ({ infix }) => infix,
      )
    assert.deepEqual(infixes('always'), ['always', 'always', 'always', 'always'])
    assert.deepEqual(infixes('fallback'), ['fallback', 'fallback', 'fallback', 'fallback'])
    assert.deepEqual(infixes('off'), ['off', 'off', 'off', 'off'])
  })

  test('edits go by length in code points, none with digits', () => {
    const edits = (q: string, options?: Partial<SlotOptions>) => slotsOf(q, options)[0]!.edits
    assert.deepEqual(
      ['abc', 'abcd', 'abcdef', 'abcdefg'].map((q) => edits(q)),
      [0, 1, 1, 2],
    )
    // Four astral letters are eight UTF-16 units.
    assert.equal(edits('\u{10400}\u{10401}\u{10402}\u{10403}'), 1)
    assert.equal(edits('abcdefg', { typoMax: 1 }), 1)
    assert.equal(edits('abcdefg', { typoMax: 0 }), 0)
    assert.equal(edits('abc', { typoMinLen1: 2, typoMinLen2: 3 }), 2)
    assert.equal(edits('abc4567'), 0)
    assert.equal(edits('abc4567', { typoNumbers: true }), 2)
  })

  test('neighbouring words may be written as one', () => {
    assert.deepEqual(joinedOf(slotsOf('red bed spread')), [
      ['redbed'],
      ['redbed', 'bedspread'],
      ['bedspread'],
    ])
    assert.deepEqual(slotsOf('bed spreads')[0]!.joined, [{ form: 'bedspreads', stem: 'bedspread' }])
    assert.deepEqual(joinedOf(slotsOf('5 inches wide')), [
      ['5inchwide'],
      ['5inch', '5inchwide'],
      ['5inch', '5inchwide'],
      ['5inchwide'],
    ])
    assert.deepEqual(joinedOf(slotsOf('bora bora')), [['borabora']])
  })

  test('a spelling with the stem of one of its words does not count', () => {
    assert.deepEqual(joinedOf(slotsOf('galaxy s')), [[], []])
    assert.deepEqual(joinedOf(slotsOf('galaxy-s x')), [[], ['sx'], ['sx']])
  })

  test('joined spellings of the analyzer cover all their parts', () => {
    assert.deepEqual(joinedOf(slotsOf('ab-12-3 x')), [
      ['ab123', 'ab12', 'ab123x'],
      ['ab123', 'ab12', '123', 'ab123x'],
      ['ab123', '123', '3x', 'ab123x'],
      ['3x', 'ab123x'],
    ])
  })

  test('a word of letters may be two words', () => {
    const splits = (q: string) => slotsOf(q)[0]!.splits.map(({ left, right }) => `${left} ${right}`)
    assert.deepEqual(splits('sofab'), ['s ofab', 'so fab', 'sof ab'])
    assert.deepEqual(splits('bedrug'), ['b edrug', 'be drug', 'bed rug', 'bedr ug'])
    assert.deepEqual(splits('xbox'), ['x box', 'xb ox'])
    assert.deepEqual(splits('xthe'), ['xt he'])
    for (const q of ['bed', 'abc123', 'x'.repeat(41)]) assert.deepEqual(splits(q), [])
  })

  test('the longest queries stay cheap', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz'
    const q = [...letters]
      .flatMap((a) => [...letters].map((b) => a + b))
      .join(' ')
      .slice(0, 1000)
    assert.ok(slotsOf(q).length > 300)
  })
})
