import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createAnalyzer } from '@aisle/engine'
import { apartSpellings, digitsOfPair, togetherForm, withoutBar } from './letters-and-digits.ts'

const analyzer = createAnalyzer('en')
const apart = (form: string): string[] =>
  apartSpellings(form, analyzer).map((words) => words.map(({ form }) => form).join(' '))
const together = (text: string): string | undefined => togetherForm(text.split(' '), analyzer)

suite('letters and digits', () => {
  test('a word of both may be written apart at every border', () => {
    assert.deepEqual(apart('iphone15'), ['iphone 15'])
    assert.deepEqual(apart('iphone15pro'), ['iphone 15 pro', 'iphone15 pro'])
    // After a number comes the unit, under any name.
    assert.deepEqual(apart('dcd18v'), ['dcd 18 volt', 'dcd18 v'])
    assert.deepEqual(apart('a1b2'), ['a 1 b 2', 'a1 b 2', 'a1b 2', 'a 1 b2', 'a1 b2'])
  })

  test('a word without borders, with too many, or with a leading digit is not', () => {
    for (const form of ['iphone', '15', '16gb', 'a1b2c', 'usb3.0', '']) {
      assert.deepEqual(apart(form), [], form)
    }
  })

  test('two numbers joined by a slash are two words, unless they are a measure or a scale', () => {
    for (const [form, words] of [
      ['136/14', '136 14'],
      ['16/9', '16 9'],
      ['9/40', '9 40'],
      ['20/22', '20 22'],
      ['2/64', '2 64'],
      [`1/${'9'.repeat(20)}`, `1 ${'9'.repeat(20)}`],
    ] as const) {
      assert.deepEqual(apart(form), [words], form)
      assert.equal(digitsOfPair(form), words.replace(' ', ''), form)
    }
    for (const form of ['1/2', '3/4', '7/10', '5/16', '63/64', '1/24', '0/5']) {
      assert.deepEqual(apart(form), [], form)
      assert.equal(digitsOfPair(form), undefined, form)
    }
    // 20/22 is not the number 2022.
    assert.deepEqual(['136/14', '16/9', '20/22'].map(withoutBar), ['13614', undefined, undefined])
  })

  test('words may be written together at borders of letters and digits', () => {
    assert.equal(together('iphone 15'), 'iphone15')
    assert.equal(together('dcd 18 v'), 'dcd18v')
    assert.equal(together('a1 b 2'), 'a1b2')
    for (const text of ['red shoe', '16 gb', 'b 5 6', 'usb 3.0', 'm 8 x 40', 'a 1 b 2 c']) {
      assert.equal(together(text), undefined, text)
    }
  })
})
