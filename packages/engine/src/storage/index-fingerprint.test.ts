import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indexFingerprint, madeFingerprint, schemaFingerprint } from './index-fingerprint.ts'

test('the fingerprint is stable and computed once', () => {
  const first = indexFingerprint('de')
  assert.ok(Number.isInteger(first) && first > 0)
  // The best of some: the machine may do other work at any time.
  const timesMs = Array.from({ length: 20 }, () => {
    const startMs = performance.now()
    assert.equal(indexFingerprint('de'), first)
    return performance.now() - startMs
  })
  assert.ok(Math.min(...timesMs) < 5, timesMs.join(' '))
})

// If this fails, the index has changed: write the new number into `KNOWN`.
test('known fingerprints equal the computed ones', () => {
  assert.equal(indexFingerprint('en'), madeFingerprint('en'))
  assert.notEqual(madeFingerprint('en'), madeFingerprint('de'))
})

test('the languages of fields affect the fingerprint of an index', () => {
  const schema = (language?: string) => ({
    fields: [
      {
        name: 'title',
        type: 'string' as const,
        searchable: true,
        facet: false,
        sort: false,
        ...(language === undefined ? {} : { language }),
      },
    ],
  })
  assert.equal(schemaFingerprint('en', schema()), indexFingerprint('en'))
  assert.equal(schemaFingerprint('en', schema('en-GB')), indexFingerprint('en'))
  assert.notEqual(schemaFingerprint('en', schema('ja')), indexFingerprint('en'))
  assert.notEqual(schemaFingerprint('en', schema('ja')), schemaFingerprint('en', schema('de')))
})
