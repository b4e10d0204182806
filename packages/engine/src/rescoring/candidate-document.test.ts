import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SHOP } from '../naive/index-for-test.ts'
import { analyzeCandidate, fieldLength, standSideBySide, tokensOf } from './candidate-document.ts'
import { tinyAnalyzer } from '../naive/tiny-analyzer.ts'

function documentOf(title: string | undefined, tags: string[]) {
  return analyzeCandidate({ docKey: 1, id: '1', values: [title, tags] }, SHOP, tinyAnalyzer)
}

function positions(tags: string[]): [string, number][] {
  return tokensOf(documentOf('', tags), 1).map((token) => [token.form, token.position])
}

test('array elements start at multiples of 4096, empty ones too', () => {
  assert.deepEqual(positions(['a b', '', 'c']), [
    ['a', 0],
    ['b', 1],
    ['c', 8192],
  ])
})

test('a long element shifts the next one and is never adjacent to it', () => {
  assert.deepEqual(positions(['a '.repeat(4095), 'b']).at(-1), ['b', 4096])
  assert.deepEqual(positions(['a '.repeat(4096), 'b']).at(-1), ['b', 8192])
  assert.deepEqual(positions(['a '.repeat(5000), 'b']).at(-1), ['b', 8192])
  const full = documentOf('', ['a '.repeat(4096), 'b'])
  assert.equal(standSideBySide(full, 1, new Set(['a']), new Set(['b'])), false)
})

test('the length of a field includes all elements, but no joined spellings', () => {
  const document = documentOf('t-shirt', ['AB-12/3', 'red'])
  assert.equal(tokensOf(document, 0).length, 3)
  assert.equal(fieldLength(document, 0), 2)
  assert.equal(fieldLength(document, 1), 4)
  assert.equal(fieldLength(document, 2), 0)
})

test('side by side: next to each other, left before right', () => {
  const document = documentOf('red shoes, t-shirt', ['big', 'deal'])
  const beside = (left: string, right: string, field = 0) =>
    standSideBySide(document, field, new Set([left]), new Set([right]))
  assert.equal(beside('red', 'shoe'), true)
  assert.equal(beside('shoe', 'red'), false)
  assert.equal(beside('red', 't'), false)
  assert.equal(beside('big', 'deal', 1), false)
  // A joined spelling has the position of its first part.
  assert.equal(beside('shoe', 'tshirt'), true)
  assert.equal(beside('tshirt', 'shirt'), true)
})
