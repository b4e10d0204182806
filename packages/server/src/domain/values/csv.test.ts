import assert from 'node:assert/strict'
import test from 'node:test'
import { csvText } from './csv.ts'

test('cells are quoted, and what looks like a formula is not one', () => {
  const cases: [unknown, string][] = [
    ['tent', '"tent"'],
    ['a "b", c\nd', '"a ""b"", c\nd"'],
    ['=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
    ['+1', '"\'+1"'],
    ['-1', '"\'-1"'],
    ['@x', '"\'@x"'],
    ['\t=x', '"\'\t=x"'],
    ['\r=x', '"\'\r=x"'],
    [-1.5, '"-1.5"'],
    [null, '""'],
    [true, '"true"'],
  ]
  for (const [value, expected] of cases) {
    assert.equal(csvText(['a'], [[value]]), `\uFEFF"a"\r\n${expected}\r\n`)
  }
})
