import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import { looksPersonal } from './personal-text.ts'

suite('personal text', () => {
  for (const text of [
    'anna@example.com',
    'mail an anna @ example . com',
    'anna(at)example.com',
    '+49 170 1234567',
    '(020) 7946-0958',
    '4111 1111 1111 1111',
    '12.03.1985',
    'order 10045531',
    '１２３４５６７',
    '٠١٢٣٤٥٦٧',
    'a'.repeat(41),
  ]) {
    test(`${text} is`, () => assert.ok(looksPersonal(text)))
  }
  for (const text of [
    'iphone 15 pro 256 gb',
    '1920x1080 monitor',
    'ab-12/3',
    '2 x 4 x 8',
    'men @',
    'size 42',
  ]) {
    test(`${text} is not`, () => assert.ok(!looksPersonal(text)))
  }
})
