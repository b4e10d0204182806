import assert from 'node:assert/strict'
import { test } from 'node:test'
import { knownLocale } from './locale.ts'

test('a locale that no format understands is replaced by the nearest one that it does', () => {
  assert.equal(knownLocale(['de-AT', 'en']), 'de-AT')
  assert.equal(knownLocale(['en-US@posix']), 'en-US')
  assert.equal(knownLocale(['C', 'fr']), 'fr')
  assert.equal(knownLocale(['en_US.UTF-8']), 'en')
  assert.equal(knownLocale([]), 'en')
})
