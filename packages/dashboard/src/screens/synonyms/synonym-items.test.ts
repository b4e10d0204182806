import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { draftOf, itemOf } from './synonym-items.ts'
import { parseItems } from '../../parts/word-lines.ts'

suite('synonym items', () => {
  test('a draft becomes an item, and an item the same draft', () => {
    const item = { id: 'a', synonyms: ['sofa', 'settee'], root: 'couch' }
    assert.deepEqual(itemOf(draftOf(item), 'a'), item)
  })

  test('a draft says what it lacks', () => {
    assert.deepEqual(itemOf({ direction: 'both', root: '', words: 'tent\ntent\n' }, undefined), {
      problem: 'Enter at least two',
    })
    assert.deepEqual(itemOf({ direction: 'one', root: ' ', words: 'tent' }, undefined), {
      problem: 'Enter what visitors type',
    })
  })

  test('lines of a table become items, and bad ones are named', () => {
    assert.deepEqual(
      parseItems('tent, shelter\r\n\ncouch => sofa;settee\nalone\n=> x\na, b => c'),
      {
        items: [{ synonyms: ['tent', 'shelter'] }, { synonyms: ['sofa', 'settee'], root: 'couch' }],
        badLines: [4, 5, 6],
      },
    )
  })
})
