import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { bodyFingerprint } from './body-fingerprint.ts'

suite('Fingerprint of bodies', () => {
  test('each language has its own, the same each time', () => {
    const languages = ['en', 'de', 'ja', 'zh']
    const all = languages.map(bodyFingerprint)
    assert.equal(new Set(all).size, languages.length)
    assert.deepEqual(languages.map(bodyFingerprint), all)
  })
})
