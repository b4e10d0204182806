import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  clausesText,
  clauseWords,
  filterableFields,
  filterExpression,
  idsExpression,
  parseClauses,
} from './filter-clauses.ts'

const field = (name: string, type: string, roles: object = {}) => ({
  name,
  type: type as 'string',
  searchable: false,
  facet: false,
  sort: false,
  ...roles,
})
const schema = {
  fields: [
    field('brand', 'string', { facet: true }),
    field('price', 'float', { sort: true }),
    field('about', 'string', { searchable: true }),
    field('image', 'string'),
    field('odd name', 'bool', { facet: true }),
    field('shop', 'geopoint'),
    field('variants', 'object[]'),
    field('variants.color', 'string', { facet: true }),
    field('variants.price', 'float', { facet: true }),
    field('variants.note', 'string', { searchable: true }),
    field('parts', 'object[]'),
  ],
}

suite('filters of the documents page', () => {
  test('an area gets parentheses, typed or not', () => {
    for (const value of ['48.85, 2.35, 5 km', ' (48.85, 2.35, 5 km) ']) {
      const clauses = [{ field: 'shop', test: 'within', value } as const]
      assert.equal(filterExpression(clauses, schema), 'shop:(48.85, 2.35, 5 km)')
    }
  })

  test('offer of each field what the service can filter by', () => {
    const offered = filterableFields(schema).map(({ name, tests }) => [name, tests.join(' ')])
    assert.deepEqual(offered, [
      ['brand', 'is is_not any words exists missing'],
      ['price', 'is is_not any from to exists missing'],
      ['about', 'words exists missing'],
      ['odd name', 'is is_not exists missing'],
      ['shop', 'within exists missing'],
      ['variants', 'one_has none_has exists missing'],
      ['variants.color', 'is is_not any words exists missing'],
      ['variants.price', 'is is_not any from to exists missing'],
      ['variants.note', 'words exists missing'],
      ['parts', 'exists missing'],
      ['id', 'is is_not'],
    ])
  })

  test('become one expression, in which values are only values', () => {
    const clauses = [
      { field: 'brand', test: 'is', value: 'A" && price:<1' },
      { field: 'brand', test: 'words', value: 'big `one\\' },
      { field: 'price', test: 'from', value: ' 10.5 ' },
      { field: 'price', test: 'to', value: '5 || x' },
      { field: 'odd name', test: 'is', value: 'true' },
      { field: 'about', test: 'missing', value: '' },
    ] as const
    assert.equal(
      filterExpression(clauses, schema),
      'brand:="A\\" && price:<1" && brand:"big \\`one\\\\" && price:>=10.5 && price:<="5 || x" && "odd name":=true && about:null',
    )
    assert.equal(idsExpression(['a', 'b"c']), 'id:=["a", "b\\"c"]')
  })

  test('of one element stand in its braces, by the names inside of it', () => {
    const offered = filterableFields(schema).find(({ name }) => name === 'variants')?.inside
    assert.deepEqual(
      offered?.map(({ name }) => name),
      ['color', 'price'],
    )
    const inside = [
      { field: 'color', test: 'any', value: 'red, dark blue,,' },
      { field: 'price', test: 'to', value: '30' },
    ] as const
    const clauses = [
      { field: 'variants', test: 'one_has', value: '', inside },
      { field: 'variants', test: 'none_has', value: '', inside: inside.slice(1) },
    ] as const
    assert.equal(
      filterExpression(clauses, schema),
      'variants:{color:=["red", "dark blue"] && price:<=30} && !variants:{price:<=30}',
    )
    assert.deepEqual(parseClauses(clausesText(clauses)), clauses)
    assert.match(clauseWords(clauses[0]), /variants.*color.*red, dark blue.*price.*30/)
    for (const value of ['', [], 'x', [['color', 'one_has', [['price', 'to', '3']]]]]) {
      assert.deepEqual(parseClauses(JSON.stringify([['variants', 'one_has', value]])), [])
    }
  })

  test('go into the address and back; nonsense there is left out', () => {
    const clauses = [{ field: 'brand', test: 'is' as const, value: 'Lloyd & Co' }]
    assert.deepEqual(parseClauses(clausesText(clauses)), clauses)
    assert.equal(clausesText([]), '')
    for (const text of ['', '{', '5', '{}', '[1]', '[["a"]]', '[["a","toString","b"]]']) {
      assert.deepEqual(parseClauses(text), [])
    }
  })
})
