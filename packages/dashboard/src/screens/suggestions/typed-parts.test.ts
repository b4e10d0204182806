import assert from 'node:assert/strict'
import { test } from 'node:test'
import { typedParts } from './typed-parts.ts'

test('typed text is dimmed anywhere in the suggestion', () => {
  assert.deepEqual(typedParts('family tent', 'Fam'), [
    { text: 'fam', isTyped: true },
    { text: 'ily tent', isTyped: false },
  ])
  assert.deepEqual(typedParts('family tent', 'tent '), [
    { text: 'family ', isTyped: false },
    { text: 'tent', isTyped: true },
  ])
  for (const typed of ['', ' ', 'stove']) {
    assert.deepEqual(typedParts('tent', typed), [{ text: 'tent', isTyped: false }])
  }
})
