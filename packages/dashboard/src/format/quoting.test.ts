import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { fieldExpression, rangeFilter, shellText, valuesFilter } from '../format/quoting.ts'

test('a field that is not a plain word is quoted', () => {
  assert.equal(fieldExpression('brand_2'), 'brand_2')
  assert.equal(fieldExpression('colour, "main"'), '"colour, \\"main\\""')
  assert.equal(fieldExpression('a`b\\c'), '"a\\`b\\\\c"')
})

suite('filters from values', () => {
  test('are quoted where the language needs it', () => {
    assert.equal(valuesFilter('brand', []), '')
    assert.equal(valuesFilter('brand', ['Fells']), 'brand:=Fells')
    assert.equal(
      valuesFilter('brand', ['Fells & Co', '12" \\ `x`']),
      'brand:=["Fells & Co", "12\\" \\\\ \\`x\\`"]',
    )
    assert.equal(rangeFilter('price', 10, Number.NaN), 'price:[10..]')
    assert.equal(rangeFilter('price', Number.NaN, Number.NaN), '')
  })
})

test('a word of a shell holds any text', () => {
  assert.equal(shellText("it's"), String.raw`'it'\''s'`)
})
