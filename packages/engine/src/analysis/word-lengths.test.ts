import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WordLengths } from './word-lengths.ts'

test('misses no word of the set and rejects most others', () => {
  const long = 'x'.repeat(40)
  const lengths = new WordLengths(['the', 'über', long])
  for (const word of ['the', 'über', long]) assert.equal(lengths.mayHave(word), true)
  // Only letter and length match.
  assert.equal(lengths.mayHave('tin'), true)
  for (const word of ['', 't', 'them', 'a', 'xx']) assert.equal(lengths.mayHave(word), false)
})
