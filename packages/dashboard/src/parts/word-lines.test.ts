import assert from 'node:assert/strict'
import { test } from 'node:test'
import { itemLine, linesToWords, parseItems } from './word-lines.ts'

test('lines become words without blanks, empty lines and duplicates', () => {
  assert.deepEqual(linesToWords(' cheap \n\nfree shipping\ncheap'), ['cheap', 'free shipping'])
})

test('lines, cells and arrows become synonyms; incomplete lines are named', () => {
  const { items, badLines } = parseItems(
    'cup, mug\nalone\n\ncouch -> sofa;settee\n=> x\n"a"\t"b"\r',
  )
  assert.deepEqual(items, [
    { synonyms: ['cup', 'mug'] },
    { root: 'couch', synonyms: ['sofa', 'settee'] },
    { synonyms: ['a', 'b'] },
  ])
  assert.deepEqual(badLines, [2, 5])
  assert.deepEqual(parseItems(items.map(itemLine).join('\n')).items, items)
})
