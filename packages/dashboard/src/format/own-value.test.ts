import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownValue } from './own-value.ts'

test('a name that all objects have is not a value of this one', () => {
  assert.equal(ownValue({ brand: 2 }, 'brand'), 2)
  for (const name of ['constructor', 'toString', '__proto__', 'brand'])
    assert.equal(ownValue({}, name), undefined)
  assert.equal(ownValue(undefined, 'brand'), undefined)
  assert.equal(ownValue(JSON.parse('{"__proto__": 1}') as Record<string, unknown>, '__proto__'), 1)
})
