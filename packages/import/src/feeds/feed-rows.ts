import { MadeRow, type SourceRow } from '../source-row.ts'
import { charsIn } from './feed-item.ts'
import { productOf, rowOf } from './feed-product.ts'
import { feedColumns, itemOfCells } from './table-items.ts'
import { itemsOf } from './xml-items.ts'

/** The products of an XML feed. @param asRows with its attributes as they are */
export async function* xmlProducts(
  text: AsyncIterable<Uint8Array>,
  asRows: boolean,
): AsyncGenerator<SourceRow> {
  const read = asRows ? rowOf : productOf
  for await (const item of itemsOf(text)) yield new MadeRow(read(item), charsIn(item))
}

/** The products of a feed that is a table. */
export async function* tableProducts(rows: AsyncIterable<SourceRow>): AsyncGenerator<SourceRow> {
  let columns: ReturnType<typeof feedColumns> | undefined
  for await (const row of rows) {
    if (row.kind !== 'table') {
      yield row
      continue
    }
    columns ??= feedColumns(Object.keys(row.cells))
    const item = itemOfCells(row.cells, columns)
    yield new MadeRow(productOf(item), charsIn(item))
  }
}
