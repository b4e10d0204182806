import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  addedFields,
  doubledTarget,
  previewRows,
  proposedPlan,
  rowOptions,
  type ReadRows,
} from './import-plan.ts'

const field = (name: string, type: string) => ({
  name,
  type: type as 'string',
  searchable: true,
  facet: false,
  sort: false,
})
const schema = { fields: [field('title', 'string'), field('price', 'float')] }
const table: ReadRows = {
  columns: ['SKU', 'title', 'Price', 'Left Over'],
  sample: [
    { kind: 'table', cells: { SKU: 'a', title: 'Tent', Price: '5.50', 'Left Over': '1' } },
    { kind: 'table', cells: { SKU: 'b', title: 'Mug', Price: 'cheap', 'Left Over': '2' } },
    { kind: 'ragged', cells: ['c'], error: 'the row has 1 cell' },
  ],
}

suite('the plan of an import', () => {
  test('sends columns to the fields of their names, adds the others, and finds the id', () => {
    const plan = proposedPlan(table, schema)
    assert.equal(plan.idColumn, 'SKU')
    assert.deepEqual(
      plan.columns.map(({ column, target }) => [column, target]),
      [
        ['SKU', ''],
        ['title', 'title'],
        ['Price', 'price'],
        ['Left Over', 'left_over'],
      ],
    )
    assert.deepEqual(addedFields(plan, schema), [
      { name: 'left_over', type: 'int32', facet: true, sort: true },
    ])
  })

  test('shows the first rows as they would be sent, and why one would be refused', () => {
    const rows = previewRows(table, schema, proposedPlan(table, schema))
    assert.deepEqual(rows[0], {
      row: 1,
      id: 'a',
      fields: { title: 'Tent', price: 5.5, left_over: 1 },
      error: undefined,
    })
    assert.match(rows[1]!.error ?? '', /"Price" must be float, received "cheap"/)
    assert.equal(rows[2]!.error, 'the row has 1 cell')
  })

  test('of JSON rows renames only what is to be renamed', () => {
    const json: ReadRows = {
      columns: undefined,
      sample: [{ kind: 'json', text: '{"id":7,"Name":"Tent","secret":1}' }],
    }
    const proposed = proposedPlan(json, schema)
    assert.equal(rowOptions(proposed, false).mapping.size, 0)
    const targets: Record<string, string> = { Name: 'title', secret: '' }
    const plan = {
      ...proposed,
      columns: proposed.columns.map((one) => ({ ...one, target: targets[one.column] ?? '' })),
    }
    assert.deepEqual(previewRows(json, schema, plan)[0], {
      row: 1,
      id: '7',
      fields: { title: 'Tent' },
      error: undefined,
    })
  })

  test('knows two columns that would be one field', () => {
    const plan = proposedPlan(table, schema)
    assert.equal(doubledTarget(plan), undefined)
    const columns = plan.columns.map((one) => ({ ...one, target: 'title' }))
    assert.equal(doubledTarget({ ...plan, columns }), 'title')
  })
})
