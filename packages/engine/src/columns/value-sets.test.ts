import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ValueSets } from './value-sets.ts'

test('equal sets share an ordinal, and the empty one is 0', () => {
  const sets = new ValueSets()
  assert.equal(sets.intern(new Uint32Array([9]), 0), 0)
  assert.equal(sets.intern(new Uint32Array([1, 2]), 2), 1)
  assert.equal(sets.intern(new Uint32Array([1]), 1), 2)
  assert.equal(sets.intern(new Uint32Array([1, 2, 3]), 2), 1)
  assert.deepEqual([...sets.start], [0, 0, 2, 3])
  assert.deepEqual([...sets.values], [1, 2, 1])
  assert.equal(sets.count, 3)
})

test('many sets keep their ordinals while the table grows', () => {
  const sets = new ValueSets()
  const setOf = (i: number) => new Uint32Array([i, i + 1 + (i % 3)])
  for (let i = 0; i < 1000; i++) assert.equal(sets.intern(setOf(i), 2), i + 1)
  for (let i = 0; i < 1000; i++) assert.equal(sets.intern(setOf(i), 2), i + 1)
})
