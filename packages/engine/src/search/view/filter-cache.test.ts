import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FilterCache } from './filter-cache.ts'
import { filterKey } from '../filters/filter-key.ts'

test('evicts the least recently used bitset', () => {
  const cache = new FilterCache(2 * (128 + 400 + 2))
  const [a, b, c] = [new Uint32Array(100), new Uint32Array(100), new Uint32Array(100)]
  cache.set('a', a)
  cache.set('b', b)
  assert.equal(cache.get('a'), a)
  cache.set('c', c)
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], [a, undefined, c])
  cache.set('c', a)
  assert.equal(cache.bytes, 2 * (128 + 400 + 2))
})

test('an entry larger than the cache is not stored and evicts nothing', () => {
  const cache = new FilterCache(1_000)
  cache.set('a', new Uint32Array(10))
  cache.set('b', new Uint32Array(1_000))
  assert.equal(cache.get('b'), undefined)
  assert.ok(cache.get('a'))
})

test('keys distinguish numbers, bigints, texts and infinite bounds', () => {
  const keys = [1, 1n, '1', '1n', true, Infinity, -Infinity].map((value) =>
    filterKey({ kind: 'equals', field: 0, value }),
  )
  assert.equal(new Set(keys).size, keys.length)
})

test('a filter by ids has no key', () => {
  const ids = { kind: 'ids', ids: ['a'] } as const
  assert.equal(filterKey({ kind: 'and', nodes: [{ kind: 'not', node: ids }] }), null)
})
