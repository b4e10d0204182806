import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { FileProfile, type SourceRow } from '@aisle/import'
import {
  doubledTarget,
  firstPlan,
  plannedImport,
  previewRows,
  rowOptions,
  type ReadFile,
} from './import-plan.ts'

const field = (name: string, type: string) => ({
  name,
  type: type as 'string',
  searchable: true,
  facet: false,
  sort: false,
})
const schema = { fields: [field('title', 'string'), field('price', 'float')] }

function readFile(columns: readonly string[] | undefined, sample: readonly SourceRow[]): ReadFile {
  const profile = new FileProfile({ columns, listSeparator: '|', idColumn: '' })
  for (const row of sample) profile.add(row)
  return { rows: { columns, sample }, profile }
}

const table = readFile(
  ['SKU', 'title', 'Price', 'Left Over'],
  [
    { kind: 'table', cells: { SKU: 'a', title: 'Tent', Price: '5,50', 'Left Over': '1' } },
    { kind: 'table', cells: { SKU: 'b', title: 'Mug', Price: 'cheap', 'Left Over': '2' } },
    { kind: 'table', cells: { SKU: 'c', title: 'Rope', Price: '1.299,00', 'Left Over': '2' } },
    { kind: 'ragged', cells: ['c'], error: 'the row has 1 cell' },
  ],
)

suite('the plan of an import', () => {
  test('sends columns to the fields of their names, adds the others, and finds the id', () => {
    const plan = firstPlan(table)
    const planned = plannedImport(table, schema, plan)
    assert.equal(plan.idColumn, 'SKU')
    assert.deepEqual(
      planned.columns.map(({ path, target }) => [path, target]),
      [
        ['SKU', ''],
        ['title', 'title'],
        ['Price', 'price'],
        ['Left Over', 'left_over'],
      ],
    )
    const added = [{ name: 'left_over', type: 'int32', facet: true, sort: true }]
    assert.deepEqual(planned.added, added)
    assert.deepEqual(
      planned.unknown.map(({ target }) => target),
      ['left_over'],
    )
    const ignoring = plannedImport(table, schema, { ...plan, unknown: 'ignore' })
    assert.deepEqual(ignoring.added, [])
  })

  test('keeps the column of the ids as a field of a new store', () => {
    const { added } = plannedImport(table, { fields: [] }, firstPlan(table))
    assert.deepEqual(added[0], { name: 'sku', type: 'string', searchable: true })
  })

  test('shows the first rows as they would be sent, and why one would be refused', () => {
    const plan = firstPlan(table)
    const rows = previewRows(table, schema, plan, plannedImport(table, schema, plan))
    assert.deepEqual(rows[0], {
      row: 1,
      id: 'a',
      fields: { title: 'Tent', price: 5.5, left_over: 1 },
      error: undefined,
    })
    assert.match(rows[1]!.error ?? '', /"Price" must be float, received "cheap"/)
    assert.equal(rows[2]!.fields['price'], 1299)
    assert.equal(rows[3]!.error, 'the row has 1 cell')
  })

  test('of JSON rows renames only what is to be renamed', () => {
    const json = readFile(undefined, [{ kind: 'json', text: '{"id":7,"Name":"Tent","secret":1}' }])
    const first = firstPlan(json)
    assert.equal(rowOptions(plannedImport(json, schema, first), first).mapping.size, 0)
    const plan = { ...first, targets: { Name: 'title', secret: '' } }
    assert.deepEqual(previewRows(json, schema, plan, plannedImport(json, schema, plan))[0], {
      row: 1,
      id: '7',
      fields: { title: 'Tent' },
      error: undefined,
    })
  })

  test('asks about a column that can be read in two ways, until a format is chosen', () => {
    const cells = ['1.299', '2.450'].map((Price) => ({ kind: 'table' as const, cells: { Price } }))
    const file = readFile(['Price'], cells)
    const plan = firstPlan(file)
    assert.equal(plannedImport(file, { fields: [] }, plan).open.length, 1)
    const decided = { ...plan, numbers: { Price: 'comma' as const } }
    const planned = plannedImport(file, { fields: [] }, decided)
    assert.equal(planned.open.length, 0)
    assert.equal(previewRows(file, { fields: [] }, decided, planned)[0]?.fields['price'], 1299)
  })

  test('knows two columns that would be one field', () => {
    const plan = firstPlan(table)
    assert.equal(doubledTarget(plannedImport(table, schema, plan)), undefined)
    const targets = { title: 'title', Price: 'title' }
    assert.equal(doubledTarget(plannedImport(table, schema, { ...plan, targets })), 'title')
  })
})
