import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAnalyzer } from '../analysis/create-analyzer.ts'
import { planSlotsForTest } from '../naive/plan-for-test.ts'
import { variantOf } from './alternative-variant.ts'

test('a word that is bare and a synonym is named by the one that counts', () => {
  const [slot] = planSlotsForTest('red+', createAnalyzer('en +'))
  const red = { form: 'red', stem: 'red' }
  const both = {
    ...slot!,
    joined: [{ ...red, bare: true } as const],
    synonyms: [{ words: [red] }],
  }
  assert.equal(variantOf(both, red, 0.85, false), 'synonym')
  assert.equal(variantOf(both, red, 0.9, false), 'bare')
  assert.equal(variantOf({ ...both, synonyms: [] }, red, 0.15, false), 'bare')
})
