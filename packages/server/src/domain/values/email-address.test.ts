import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { isEmailAddress } from './email-address.ts'

suite('an e-mail address', () => {
  test('is a plain one, for one person', () => {
    for (const text of ['ana@shop.example', 'a.b+c@mail.shop.example', 'root@localhost']) {
      assert.ok(isEmailAddress(text), text)
    }
    for (const text of [
      '',
      'ana',
      '@shop.example',
      'ana@',
      'ana@shop..example',
      'ana@shop.example,bob@shop.example',
      'Ana <ana@shop.example>',
      'ana@shop.example\r\nBcc: bob@shop.example',
      'a na@shop.example',
      'ana@bob@shop.example',
      'anä@shop.example',
      `${'a'.repeat(254)}@shop.example`,
    ]) {
      assert.ok(!isEmailAddress(text), text)
    }
  })
})
