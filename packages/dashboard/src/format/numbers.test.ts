import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatMoney } from './numbers.ts'

test('a currency is named by its ISO code', () => {
  const shown = (amount: number, currency?: string) =>
    formatMoney(amount, currency).replaceAll(/\s/g, ' ')
  assert.equal(shown(1_299, 'EUR'), 'EUR 1,299.00')
  assert.equal(shown(30.5, 'USD'), 'USD 30.50')
  assert.equal(shown(30.5), '30.50')
  assert.equal(shown(30.5, 'euro'), '30.50')
})
