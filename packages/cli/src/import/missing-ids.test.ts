import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { missingIds } from './missing-ids.ts'
import { readDelimiter } from './read-delimiter.ts'

suite('what a command says of ids', () => {
  const ids = { idColumn: 'id', generateIds: false }
  const cells = (sku: string): Record<string, string> => ({ 'Brand ID': '1', SKU: sku })
  const rows = {
    columns: ['Brand ID', 'SKU'],
    sample: ['s1', 's2'].map((sku) => ({ kind: 'table' as const, cells: cells(sku) })),
  }

  test('names the likeliest column, and how to do without', () => {
    assert.match(missingIds('f', rows, ids) ?? '', /--id-column "SKU".*--generate-ids/)
    assert.equal(missingIds('f', rows, { ...ids, idColumn: 'SKU' }), undefined)
    assert.equal(missingIds('f', rows, { ...ids, generateIds: true }), undefined)
    assert.match(missingIds('f', rows, { ...ids, idColumn: 'sku' }) ?? '', /no column "sku"/)
  })

  test('of JSON rows too', () => {
    const sample = [{ kind: 'json' as const, text: '{"asin":"a"}' }]
    const said = missingIds('f', { columns: undefined, sample }, ids) ?? ''
    assert.match(said, /rows of "f" have no "id".*"asin"/)
  })
})

suite('a delimiter', () => {
  test('is one character, or tab', () => {
    assert.equal(readDelimiter('tab'), '\t')
    for (const wrong of ['', 'ab', '"', '\n']) {
      assert.throws(() => readDelimiter(wrong), { exit: 'usage' })
    }
  })
})
