import { textOfHtml } from './html-text.ts'
import { cellOf, cellsOf, ShopProduct, type Cells } from './shop-product.ts'
import type { SourceRow } from './source-row.ts'

const OPTIONS = [1, 2, 3] as const

/**
 * Reads products from a Shopify export, with its older and newer columns. Rows with the same handle
 * are adjacent: the first is the product, the others are variants and further pictures.
 */
export async function* shopifyProducts(rows: AsyncIterable<SourceRow>): AsyncGenerator<SourceRow> {
  let handle = ''
  let product: ShopProduct | undefined
  let options: string[] = []
  for await (const row of rows) {
    if (row.kind !== 'table') {
      yield row
      continue
    }
    const cells = cellsOf(row.cells)
    const next = cellOf(cells, 'handle', 'url handle')
    if (next !== '' && next !== handle) {
      if (product !== undefined) yield { kind: 'json', text: product.toJson() }
      handle = next
      product = new ShopProduct(handle)
      options = OPTIONS.map((i) => cellOf(cells, `option${i} name`))
      describe(product, cells)
    }
    if (product === undefined) {
      yield { kind: 'ragged', cells: Object.values(row.cells), error: 'the row has no handle' }
      continue
    }
    addVariant(product, cells, options)
  }
  if (product !== undefined) yield { kind: 'json', text: product.toJson() }
}

function describe(product: ShopProduct, cells: Cells): void {
  product.setText('title', cellOf(cells, 'title'))
  product.setText('description', textOfHtml(cellOf(cells, 'body (html)', 'description')))
  product.setText('brand', cellOf(cells, 'vendor'))
  product.setText('category', cellOf(cells, 'product category'))
  product.setText('product_type', cellOf(cells, 'type'))
  product.setText('status', cellOf(cells, 'status'))
  product.setText('image', cellOf(cells, 'image src', 'product image url'))
  product.setFlag('published', cellOf(cells, 'published', 'published on online store'))
  product.addTo('tags', cellOf(cells, 'tags').split(','))
}

function addVariant(product: ShopProduct, cells: Cells, options: readonly string[]): void {
  product.addPrice(
    cellOf(cells, 'variant price', 'price'),
    cellOf(cells, 'variant compare at price', 'compare-at price'),
  )
  product.addStock(cellOf(cells, 'variant inventory qty', 'inventory quantity'))
  product.addTo('sku', [cellOf(cells, 'variant sku', 'sku')])
  product.addTo('barcode', [cellOf(cells, 'variant barcode', 'barcode')])
  product.addTo('images', [cellOf(cells, 'image src', 'product image url')])
  options.forEach((name, i) => {
    // A product without variants has one option of this name.
    if (name !== 'Title') product.addOption(name, [cellOf(cells, `option${i + 1} value`)])
  })
}
