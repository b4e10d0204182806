import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { englishSecondLetters, englishThirdLetters, englishStem } from './english-stem.ts'
import { SPECIAL_WORDS } from './porter2.ts'
import { englishExceptions } from './english-words.ts'

suite('englishStem', () => {
  test('forms of one word share a stem', () => {
    const groups = [
      'man men mens',
      'woman women womens',
      'child children childrens',
      'person people',
      'foot feet',
      'tooth teeth',
      'mouse mice',
      'goose geese',
      'knife knives',
      'wife wives',
      'life lives',
      'leaf leaves leafs',
      'shelf shelves shelving',
      'half halves',
      'wolf wolves',
      'loaf loaves',
      'scarf scarves scarfs',
      'lens lenses',
      'bus buses',
      'gas gases',
      'canvas canvases',
      'glass glasses',
      'dress dresses',
      'mattress mattresses',
      'watch watches',
      'box boxes',
      'dish dishes',
      'battery batteries',
      'lady ladies',
      'key keys',
      'shoe shoes',
      'tomato tomatoes',
      'jean jeans',
      'pant pants',
      'virus viruses',
      'earring earrings',
      'legging leggings',
      'clothes clothing',
      'organizer organizers organize',
      'light lights lighting lighted',
      'quiz quizzes',
      'axe axes',
      'tv tvs',
      'pc pcs',
      'dvd dvds',
      'bra bras',
      'spa spas',
      'ski skis',
      'menu menus',
    ]
    for (const group of groups) {
      const stems = new Set(group.split(' ').map(englishStem))
      assert.equal(stems.size, 1, `${group}: ${[...stems].join(' ')}`)
    }
  })

  test('different words do not', () => {
    const pairs = [
      'news new',
      'earring ear',
      'bedding bed',
      'stocking stock',
      'boxing box',
      'anime animal',
      'university universal',
      'organic organ',
      'battery batter',
      'police policy',
      'paste past',
      'cloth clothes',
      'lens len',
      'series serial',
      'evening even',
      'training train',
    ]
    for (const pair of pairs) {
      const [left, right] = pair.split(' ').map(englishStem)
      assert.notEqual(left, right, pair)
    }
  })

  test('forms with digits or other letters equal their stems', () => {
    for (const form of ['16gbs', 'mp3s', '1/2', '2.5', 'ботинки', 'は', 'a', 's', 'x'.repeat(60)]) {
      assert.equal(englishStem(form), form)
    }
  })

  test('a stem and its forms begin alike', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'aeiouysedglntbxz'), minLength: 1 })
    fc.assert(fc.property(letters, (word) => assert.equal(englishStem(word)[0], word[0])))
    for (const [word, stem] of englishExceptions((singular) => singular)) {
      assert.equal(stem[0], word[0])
    }
  })

  test('names of object properties are ordinary words', () => {
    for (const form of ['constructor', 'proto', 'valueof', '__proto__']) {
      assert.equal(typeof englishStem(form), 'string')
    }
  })

  // Marks skip forms whose second letter is not one of these.
  test('the second letters of a stem cover all its forms', () => {
    const beginning = fc.string({ unit: fc.constantFrom(...'aeiouybcdgilnstz'), maxLength: 7 })
    const suffix = fc.constantFrom(
      '',
      's',
      'es',
      'ies',
      'ied',
      'ing',
      'ings',
      'ed',
      'y',
      'ly',
      'ed',
    )
    const irregular = fc.constantFrom(...englishExceptions((word) => word).keys())
    const form = fc.oneof(
      fc.tuple(beginning, suffix).map((parts) => parts.join('')),
      irregular,
      fc.constantFrom(...SPECIAL_WORDS.keys()),
      fc.string({ maxLength: 3 }),
    )
    fc.assert(
      fc.property(form, (one) => {
        const letters = englishSecondLetters(englishStem(one))
        assert.ok(letters === undefined || (one.length > 1 && letters.includes(one[1]!)), one)
        const thirds = englishThirdLetters(englishStem(one))
        assert.ok(thirds === undefined || one.length < 3 || thirds.includes(one[2]!), one)
      }),
      { numRuns: 20_000 },
    )
  })
})
