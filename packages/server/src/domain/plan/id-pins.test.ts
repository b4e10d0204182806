import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { DOCUMENT_ID_MAX_BYTES } from '@aisle/contract'
import { idPins, mergedPins } from './id-pins.ts'

suite('a query that is an id', () => {
  test('the whole query is the id, without the spaces around it', () => {
    const ids = (q: string) => idPins(q).map(({ id }) => id)
    const cases: readonly (readonly [string, readonly string[]])[] = [
      ['  shoe ', ['shoe']],
      ['red shoe', ['red shoe']],
      ['B0BRKXTSBT', ['B0BRKXTSBT', 'b0brkxtsbt']],
      ['b0brkXTSBT', ['b0brkXTSBT', 'B0BRKXTSBT', 'b0brkxtsbt']],
      ['42', ['42']],
      ['a/b?c=1', ['a/b?c=1', 'A/B?C=1']],
      ['"42"', ['"42"']],
      ['é', ['é']],
      ['', []],
      ['   ', []],
      ['*', []],
      [' * ', []],
      ['***', ['***']],
    ]
    for (const [q, expected] of cases) assert.deepEqual(ids(q), expected, q)
  })

  test('a text that is too long for an id is not an id', () => {
    assert.equal(idPins('x'.repeat(DOCUMENT_ID_MAX_BYTES)).length, 1)
    assert.equal(idPins('x'.repeat(DOCUMENT_ID_MAX_BYTES + 1)).length, 0)
    assert.equal(idPins('é'.repeat(DOCUMENT_ID_MAX_BYTES / 2)).length, 1)
    assert.equal(idPins('é'.repeat(DOCUMENT_ID_MAX_BYTES / 2 + 1)).length, 0)
  })

  test('it takes the first places that rules leave free; pins of rules keep their places', () => {
    const ofRules = [
      { id: 'x', position: 1 },
      { id: 'y', position: 3 },
    ]
    const byId = true as const
    assert.deepEqual(mergedPins([], idPins('a1')), idPins('a1'))
    assert.deepEqual(mergedPins(ofRules, idPins('a1')), [
      { id: 'x', position: 1 },
      { id: 'a1', position: 2, byId },
      { id: 'A1', position: 2, byId },
      { id: 'y', position: 3 },
    ])
    assert.deepEqual(mergedPins(ofRules, idPins('y')), ofRules)
    assert.deepEqual(mergedPins(ofRules, []), ofRules)
  })
})
