import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EMPTY_PLAN } from '@aisle/testing'
import type { FilterNode } from '../query/filter.ts'
import { ascending, keysFor, ordinalOf, shopIndex } from '../naive/index-for-test.ts'
import { withoutField } from './filter.ts'

const title = ordinalOf('title')
const tags = ordinalOf('tags')
const brand = ordinalOf('brand')
const price = ordinalOf('price')
const stock = ordinalOf('stock')
const sizes = ordinalOf('sizes')
const isNew = ordinalOf('new')

const index = shopIndex([
  { title: 'T-shirt, red', tags: ['Big', 'red deer'], brand: 'Nike', price: 9.5, sizes: [1, 5] },
  { title: 'Shirts', tags: ['deer', 'red'], brand: 'NIKE', price: -0, stock: 2n ** 53n + 1n },
  { title: '', tags: [], brand: 'Nike Air', stock: 2n ** 53n, sizes: [], new: true },
  { price: 10, new: false },
])

const EXAMPLES: [string, FilterNode, number[]][] = [
  ['a string equals in any case', { kind: 'equals', field: brand, value: 'nike' }, [1, 2]],
  ['a string is compared as a whole', { kind: 'equals', field: tags, value: 'red' }, [2]],
  ['0 equals -0', { kind: 'equals', field: price, value: 0 }, [2]],
  ['int64 is exact', { kind: 'equals', field: stock, value: 2n ** 53n + 1n }, [2]],
  ['one element of an array is enough', { kind: 'equals', field: sizes, value: 5 }, [1]],
  ['a boolean', { kind: 'equals', field: isNew, value: false }, [4]],
  ['a range has both ends', { kind: 'range', field: price, low: 0, high: 9.5 }, [1, 2]],
  [
    'ends can be left out',
    { kind: 'range', field: price, low: 0, lowInclusive: false, high: 10, highInclusive: false },
    [1],
  ],
  ['a range can be open', { kind: 'range', field: price, low: 9 }, [1, 4]],
  ['a range without ends has every value', { kind: 'range', field: price }, [1, 2, 4]],
  ['int64 ranges are exact', { kind: 'range', field: stock, low: 2n ** 53n + 1n }, [2]],
  ['one element must be in the range', { kind: 'range', field: sizes, low: 2, high: 4 }, []],
  ['words are whole', { kind: 'words', field: title, forms: ['shirt'] }, [1]],
  ['joined spellings are words', { kind: 'words', field: title, forms: ['tshirt', 'red'] }, [1]],
  ['one element has all words', { kind: 'words', field: tags, forms: ['deer', 'red'] }, [1]],
  ['words of a field that is not searchable', { kind: 'words', field: brand, forms: ['air'] }, [3]],
  ['a value that starts so', { kind: 'valuePrefix', field: brand, prefix: 'nike ' }, [3]],
  ['one element that starts so', { kind: 'valuePrefix', field: tags, prefix: 'red' }, [1, 2]],
  ['a number above all', { kind: 'range', field: stock, high: 2n ** 70n }, [2, 3]],
  ['a number below all', { kind: 'range', field: price, low: -Infinity, high: 9.5 }, [1, 2]],
  ['a word that starts so', { kind: 'wordPrefix', field: title, prefix: 'shir' }, [1, 2]],
  ['an empty string is a value', { kind: 'exists', field: title }, [1, 2, 3]],
  ['an empty array is none', { kind: 'exists', field: tags }, [1, 2]],
  ['ids', { kind: 'ids', ids: ['4', '2', '9'] }, [2, 4]],
  [
    'not is the exact complement',
    { kind: 'not', node: { kind: 'range', field: price, low: 5 } },
    [2, 3],
  ],
  [
    'and, or',
    {
      kind: 'and',
      nodes: [
        {
          kind: 'or',
          nodes: [
            { kind: 'ids', ids: ['1'] },
            { kind: 'exists', field: isNew },
          ],
        },
        { kind: 'exists', field: price },
      ],
    },
    [1, 4],
  ],
  ['and of nothing is met', { kind: 'and', nodes: [] }, [1, 2, 3, 4]],
  ['or of nothing is not', { kind: 'or', nodes: [] }, []],
]

for (const [name, filter, keys] of EXAMPLES) {
  test(`filter: ${name}`, () => {
    assert.deepEqual(keysFor(index, '', { filter }).toSorted(ascending), keys)
    const not: FilterNode = { kind: 'not', node: filter }
    assert.equal(index.search({ ...everything, filter: not }).found, 4 - keys.length)
  })
}

const everything = {
  ...EMPTY_PLAN,
  size: 0,
}

test('a disjunctive facet ignores conditions on its field alone, and keeps the others', () => {
  const nike: FilterNode = { kind: 'equals', field: brand, value: 'nike' }
  const puma: FilterNode = { kind: 'equals', field: brand, value: 'puma' }
  const cheap: FilterNode = { kind: 'range', field: price, high: 10 }
  const either: FilterNode = { kind: 'or', nodes: [nike, { kind: 'not', node: puma }] }
  const mixed: FilterNode = { kind: 'or', nodes: [nike, cheap] }
  const nothing: FilterNode = { kind: 'or', nodes: [] }
  const and = (...nodes: FilterNode[]): FilterNode => ({ kind: 'and', nodes })
  assert.deepEqual(withoutField(and(either, cheap, mixed), brand), and(cheap, mixed))
  assert.deepEqual(withoutField(either, brand), and())
  assert.deepEqual(withoutField(mixed, brand), and(mixed))
  assert.deepEqual(withoutField(nothing, brand), and(nothing))
  assert.deepEqual(
    withoutField({ kind: 'ids', ids: ['1'] }, brand),
    and({ kind: 'ids', ids: ['1'] }),
  )
  assert.deepEqual(
    withoutField(and(and(nike, puma), and(nike, cheap)), brand),
    and(and(nike, cheap)),
  )
})
