import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatMoney } from './numbers.ts'

test('a currency is named by its ISO code', () => {
  // A narrow place breaks it at the space, which is a plain one.
  const shown = formatMoney
  assert.equal(shown(1_299, 'EUR'), 'EUR 1,299.00')
  assert.equal(shown(30.5, 'USD'), 'USD 30.50')
  assert.equal(shown(30.5), '30.50')
  assert.equal(shown(30.5, 'euro'), '30.50')
})
