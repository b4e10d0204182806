import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { porter2 } from './porter2.ts'

suite('porter2', () => {
  test("stems match Porter's description of each step", () => {
    const cases = {
      // 1a
      caresses: 'caress',
      ties: 'tie',
      cries: 'cri',
      gas: 'gas',
      gaps: 'gap',
      kiwis: 'kiwi',
      // 1b
      agreed: 'agre',
      luxuriated: 'luxuri',
      hopping: 'hop',
      hoping: 'hope',
      falling: 'fall',
      adding: 'add',
      egged: 'egg',
      fizzed: 'fizz',
      // 1c
      cry: 'cri',
      by: 'by',
      say: 'say',
      // 2 to 5
      relational: 'relat',
      conditional: 'condit',
      digitizer: 'digit',
      operator: 'oper',
      hopefulness: 'hope',
      formality: 'formal',
      sensibility: 'sensibl',
      geology: 'geolog',
      triplicate: 'triplic',
      electrical: 'electr',
      goodness: 'good',
      revival: 'reviv',
      adjustable: 'adjust',
      replacement: 'replac',
      adoption: 'adopt',
      probate: 'probat',
      rate: 'rate',
      controlling: 'control',
      rolling: 'roll',
      // Words on their own
      skies: 'sky',
      earrings: 'earring',
      herring: 'herring',
      generously: 'generous',
      generic: 'generic',
      organization: 'organiz',
      international: 'internat',
      communities: 'communiti',
      youth: 'youth',
      boyish: 'boyish',
      flying: 'fli',
    }
    for (const [word, stem] of Object.entries(cases)) assert.equal(porter2(word), stem, word)
  })

  test('any letters have a stem that is at most as long as the word', () => {
    const letters = fc.string({
      unit: fc.constantFrom(...'aeiouysedglntbxz'),
      minLength: 1,
      maxLength: 20,
    })
    fc.assert(
      fc.property(letters, (word) => {
        const stem = porter2(word)
        assert.ok(stem.length > 0 && stem.length <= word.length)
        assert.match(stem, /^[a-z]+$/)
      }),
    )
  })
})
