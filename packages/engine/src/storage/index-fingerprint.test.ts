import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indexFingerprint } from './index-fingerprint.ts'

test('the fingerprint is the same for the same program, and made once', () => {
  const first = indexFingerprint('en')
  assert.ok(Number.isInteger(first) && first > 0)
  const startMs = performance.now()
  assert.equal(indexFingerprint('en'), first)
  assert.ok(performance.now() - startMs < 5)
})
