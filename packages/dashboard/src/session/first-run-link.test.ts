import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstRunSecret } from './first-run-link.ts'

test('the link of the first start is read from whatever was copied', () => {
  for (const text of [
    'http://127.0.0.1:7700/first-run#fr_Ab-9_z',
    'Create the first owner: http://x/first-run#fr_Ab-9_z (once)',
    ' fr_Ab-9_z ',
  ]) {
    assert.equal(firstRunSecret(text), 'fr_Ab-9_z')
  }
  for (const text of ['', 'http://127.0.0.1:7700/first-run', 'fr_', 'ada@example.com']) {
    assert.equal(firstRunSecret(text), undefined)
  }
})
