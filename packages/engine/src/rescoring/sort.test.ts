import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SortKey } from '../query/plan.ts'
import { shuffle } from '../scoring/shuffle.ts'
import { keysFor, ordinalOf, shopIndex } from '../naive/index-for-test.ts'
import type { ShopDocument } from '../naive/index-for-test.ts'

const index = shopIndex([
  { title: 'red red hat', brand: 'b', price: 2, stock: 2n ** 53n + 1n, new: true },
  { title: 'red hat', brand: 'É', price: -1 },
  { title: 'red', brand: 'B', stock: 2n ** 53n, new: false },
  { title: 'hat', brand: 'a', price: 2 },
])

function by(
  name: keyof ShopDocument,
  descending: boolean,
  missing: 'first' | 'last' = 'last',
): SortKey {
  return { kind: 'field', field: ordinalOf(name), descending, missing }
}

function sorted(...sort: SortKey[]): number[] {
  return keysFor(index, '', { sort })
}

test('sorts numbers by size, ties newest first', () => {
  assert.deepEqual(sorted(by('price', false)), [2, 4, 1, 3])
  assert.deepEqual(sorted(by('price', true)), [4, 1, 2, 3])
})

test('missing values stay at their end in either direction', () => {
  assert.deepEqual(sorted(by('price', false, 'first')), [3, 2, 4, 1])
  assert.deepEqual(sorted(by('price', true, 'first')), [3, 4, 1, 2])
})

test('sorts strings folded, then as written, by code point', () => {
  assert.deepEqual(sorted(by('brand', false)), [4, 3, 1, 2])
  assert.deepEqual(sorted(by('brand', true)), [2, 1, 3, 4])
})

test('sorts int64 exactly, false before true', () => {
  assert.deepEqual(sorted(by('stock', false)), [3, 1, 4, 2])
  assert.deepEqual(sorted(by('stock', true)), [1, 3, 4, 2])
  assert.deepEqual(sorted(by('new', false)), [3, 1, 4, 2])
})

test('further keys break ties', () => {
  assert.deepEqual(sorted(by('price', true), by('brand', true)), [1, 4, 2, 3])
})

test('a filter moves its matches to one end', () => {
  const filter = { kind: 'ids', ids: ['2', '3'] } as const
  assert.deepEqual(sorted({ kind: 'filter', filter, descending: true }), [3, 2, 4, 1])
  assert.deepEqual(sorted({ kind: 'filter', filter, descending: false }), [4, 1, 3, 2])
})

test('popularity is equal for all unknown documents', () => {
  assert.deepEqual(sorted({ kind: 'popularity', descending: true }), [4, 3, 2, 1])
})

test('a shuffle is repeatable, and reversed when descending', () => {
  const expected = [1, 2, 3, 4].toSorted((a, b) => shuffle(42, a) - shuffle(42, b))
  assert.deepEqual(sorted({ kind: 'random', seed: 42, descending: false }), expected)
  assert.deepEqual(sorted({ kind: 'random', seed: 42, descending: true }), expected.toReversed())
})

test('the text match score decides after the listed keys, or at its place among them', () => {
  const listed = (...sort: SortKey[]) => keysFor(index, 'red', { sort })
  assert.deepEqual(listed(), [1, 3, 2].toSorted(byScore))
  assert.deepEqual(listed({ kind: 'popularity', descending: false }), [1, 3, 2].toSorted(byScore))
  assert.deepEqual(
    listed({ kind: 'textMatch', descending: false }),
    [1, 3, 2].toSorted(byScore).toReversed(),
  )
})

/** "red red hat" has the word twice; of the others, "red" is shorter. */
function byScore(a: number, b: number): number {
  const order = [1, 3, 2]
  return order.indexOf(a) - order.indexOf(b)
}

test('rejects sorting by an array field', () => {
  assert.throws(() => sorted(by('sizes', true)), /Cannot sort by field 5/)
})
