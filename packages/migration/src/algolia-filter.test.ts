import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { filterOfAlgolia, FilterError } from './algolia-filter.ts'

const fieldOf = (attribute: string): string => attribute.replaceAll('.', '_')
const read = (filter: string): string => filterOfAlgolia(filter, fieldOf)

suite('a filter of Algolia', () => {
  test('becomes an equivalent filter', () => {
    for (const [theirs, ours] of [
      ['brand:Apple', 'brand:="Apple"'],
      [`brand:'A & B'`, 'brand:="A & B"'],
      ['brand.name:"say \\"hi\\""', 'brand_name:="say \\"hi\\""'],
      ['price > 10 AND price<=20.5', 'price:>10 && price:<=20.5'],
      ['price:10 TO 20', 'price:[10..20]'],
      ['onSale:true AND NOT stock = 0', 'onSale:=true && !stock:=0'],
      ['(a:1 OR b:2) AND NOT (c:3 OR d:4)', '(a:=1 || b:=2) && !(c:=3 || d:=4)'],
      ['published', '_tags:="published"'],
      ['brand:Apple<score=3>', 'brand:="Apple"'],
      ['ORANGE:1 OR ANDROID:2', 'ORANGE:=1 || ANDROID:=2'],
    ] as const) {
      assert.equal(read(theirs), ours)
    }
  })

  test('that is invalid is refused with its position', () => {
    for (const wrong of ['', 'a:', '(a:1', 'a:1 b:2', 'a:"x', 'AND', 'a:1 AND', 'price >']) {
      assert.throws(() => read(wrong), FilterError, wrong)
    }
    assert.throws(() => read('('.repeat(50)), /nested too deeply/)
    assert.throws(() => read('NOT '.repeat(50)), /nested too deeply/)
    assert.throws(() => read('a'.repeat(20_001)), /too long/)
  })

  test('of any text is read or refused, and never fails otherwise', () => {
    const part = fc.constantFrom(
      'a',
      ':',
      ' ',
      '(',
      ')',
      '"',
      "'",
      '\\',
      ' AND ',
      ' OR ',
      'NOT ',
      '<',
      '=',
      ' TO ',
      '1',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        try {
          return typeof read(parts.join('')) === 'string'
        } catch (error) {
          return error instanceof FilterError
        }
      }),
    )
  })
})
