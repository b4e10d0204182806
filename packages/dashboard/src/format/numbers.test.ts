import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatMoney, formatPercent } from './numbers.ts'

test('a currency is named by its ISO code', () => {
  // A narrow place breaks it at the space, which is a plain one.
  const shown = formatMoney
  assert.equal(shown(1_299, 'EUR'), 'EUR 1,299.00')
  assert.equal(shown(30.5, 'USD'), 'USD 30.50')
  assert.equal(shown(30.5), '30.50')
  assert.equal(shown(30.5, 'euro'), '30.50')
})

test('a share has no space before its sign, and what is not nothing does not read as 0%', () => {
  assert.equal(formatPercent(0.297), '29.7%')
  assert.equal(formatPercent(1, 0), '100%')
  assert.equal(formatPercent(0), '0.0%')
  assert.equal(formatPercent(1 / 4_269), '<0.1%')
  assert.equal(formatPercent(0.001, 0), '<1%')
  assert.equal(formatPercent(null), '–')
})
