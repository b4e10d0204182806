import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allocateSlots } from './field-slots.ts'

test('a schema with vectors is refused, because a cluster does not compare them', () => {
  const roles = { searchable: false, facet: false, sort: false }
  const vector = { dimensions: 8, metric: 'cosine' } as const
  const fields = [{ name: 'meaning', type: 'vector', ...roles, vector } as const]
  assert.throws(() => allocateSlots({ fields }, []), { message: 'a cluster has no vector fields' })
})
