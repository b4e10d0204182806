import assert from 'node:assert/strict'
import test from 'node:test'
import { fieldExpression } from './field-expression.ts'

test('a field that is no plain word is quoted', () => {
  assert.equal(fieldExpression('brand_2'), 'brand_2')
  assert.equal(fieldExpression('colour, "main"'), '"colour, \\"main\\""')
  assert.equal(fieldExpression('a`b\\c'), '"a\\`b\\\\c"')
})
