import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indexFingerprint, madeFingerprint } from './index-fingerprint.ts'

test('the fingerprint is the same for the same program, and made once', () => {
  const first = indexFingerprint('de')
  assert.ok(Number.isInteger(first) && first > 0)
  const startMs = performance.now()
  assert.equal(indexFingerprint('de'), first)
  assert.ok(performance.now() - startMs < 5)
})

// When this fails, the index has changed: write the new number into `KNOWN`.
test('a fingerprint that is written down is what the program makes', () => {
  assert.equal(indexFingerprint('en'), madeFingerprint('en'))
  assert.notEqual(madeFingerprint('en'), madeFingerprint('de'))
})
