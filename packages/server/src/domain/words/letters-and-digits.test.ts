import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createAnalyzer } from '@aisle/engine'
import { apartSpellings, togetherForm } from './letters-and-digits.ts'

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

  test('words may be written together at borders of letters and digits', () => {
    assert.equal(together('iphone 15'), 'iphone15')
    assert.equal(together('dcd 18 v'), 'dcd18v')
    assert.equal(together('a1 b 2'), 'a1b2')
    for (const text of ['red shoe', '16 gb', 'b 5 6', 'usb 3.0', 'm 8 x 40', 'a 1 b 2 c']) {
      assert.equal(together(text), undefined, text)
    }
  })
})
