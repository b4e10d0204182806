import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSort, sortRows, sortText, tableCsv, type Column } from './table-model.ts'

interface Row {
  readonly name: string
  readonly price?: number
}

const COLUMNS: readonly Column<Row>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => name, value: ({ name }) => name },
  {
    id: 'price',
    header: 'Price',
    unit: 'EUR',
    cell: ({ price }) => price,
    value: ({ price }) => price,
  },
  { id: 'actions', header: 'Actions', cell: () => null },
]
const ROWS: readonly Row[] = [
  { name: 'tent 10', price: 90 },
  { name: 'Tent 9' },
  { name: 'älg', price: 100 },
]

test('an order goes into the address and back', () => {
  for (const text of ['price:desc', 'name:asc', '']) assert.equal(sortText(parseSort(text)), text)
})

test('numbers sort by size, texts as readers do, missing values last', () => {
  const names = (order: string): string[] =>
    sortRows(ROWS, COLUMNS, parseSort(order)).map(({ name }) => name)
  assert.deepEqual(names('price:asc'), ['tent 10', 'älg', 'Tent 9'])
  assert.deepEqual(names('price:desc'), ['älg', 'tent 10', 'Tent 9'])
  assert.deepEqual(names('name:asc'), ['älg', 'Tent 9', 'tent 10'])
  for (const unsorted of ['', 'actions:asc', 'unknown:asc']) {
    assert.deepEqual(
      names(unsorted),
      ROWS.map(({ name }) => name),
    )
  }
})

test('a CSV has the columns with values, and no cell that a spreadsheet would calculate', () => {
  const csv = tableCsv([{ name: '=1+1', price: -2 }, { name: 'a "b", c' }], COLUMNS)
  assert.equal(csv, ['Name,Price (EUR)', "'=1+1,-2", '"a ""b"", c",'].join('\r\n'))
})
