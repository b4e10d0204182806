import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { FileProfile } from '@aisle/import'
import { idNotes, missingIds } from './missing-ids.ts'
import { readDelimiter } from './read-delimiter.ts'

suite('ids in the messages of a command', () => {
  const ids = { idColumn: 'id', generateIds: false }
  const table = (...skus: string[]): FileProfile => {
    const profile = new FileProfile({
      columns: ['Brand ID', 'SKU'],
      listSeparator: '|',
      idColumn: 'id',
    })
    for (const SKU of skus) profile.add({ kind: 'table', cells: { 'Brand ID': '1', SKU } })
    return profile
  }

  test('names the likeliest column, and how to do without', () => {
    const rows = table('s1', 's2')
    assert.match(missingIds('f', rows, ids) ?? '', /--id-column "SKU".*--generate-ids/)
    assert.equal(missingIds('f', rows, { ...ids, idColumn: 'SKU' }), undefined)
    assert.equal(missingIds('f', rows, { ...ids, generateIds: true }), undefined)
    assert.match(missingIds('f', rows, { ...ids, idColumn: 'sku' }) ?? '', /no column "sku"/)
  })

  test('of JSON rows too', () => {
    const rows = new FileProfile({ columns: undefined, listSeparator: '|', idColumn: 'id' })
    rows.add({ kind: 'json', text: '{"asin":"a"}' })
    const said = missingIds('f', rows, ids) ?? ''
    assert.match(said, /rows of "f" have no "id".*"asin"/)
  })

  test('counts and names ids that are repeated, and rows without one', () => {
    const many = Array.from({ length: 40 }, (_, i) => `s${i}`)
    const rows = table(...many, 's1', 's2', 's1', '')
    const notes = idNotes(rows, { ...ids, idColumn: 'SKU' })
    assert.match(notes[0]!, /^3 rows have the id of an earlier row.*: "s1", "s2"/)
    assert.match(notes[1]!, /^1 of 44 rows has no "SKU" \(row 44\).*--generate-ids/)
    assert.match(
      missingIds('f', rows, ids) ?? '',
      /"SKU" \(of 44 rows, 1 has no value and 3 repeat an earlier value\)/,
    )
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
