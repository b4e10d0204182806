import { textOfHtml } from './html-text.ts'
import { cellOf, cellsOf, ShopProduct, type Cells } from './shop-product.ts'
import type { SourceRow } from './source-row.ts'

/** Maximum of products that wait for variations; the oldest is completed first. */
const OPEN_PRODUCTS_MAX = 20_000
/** Maximum of attributes read per product. */
const ATTRIBUTES_MAX = 20

/**
 * Reads products from a WooCommerce export. Variations name their parent by `id:12` or its SKU, and
 * follow it, not necessarily directly.
 */
export async function* wooProducts(rows: AsyncIterable<SourceRow>): AsyncGenerator<SourceRow> {
  const open = new Map<string, ShopProduct>()
  const idBySku = new Map<string, string>()
  for await (const row of rows) {
    if (row.kind !== 'table') {
      yield row
      continue
    }
    const cells = cellsOf(row.cells)
    const id = cellOf(cells, 'id')
    if (cellOf(cells, 'type').includes('variation')) {
      const parent = cellOf(cells, 'parent')
      const named = parent.startsWith('id:') ? parent.slice(3) : (idBySku.get(parent) ?? parent)
      const product = open.get(named)
      if (product === undefined) {
        const error = `the row is a variation of "${parent}", which is not among the rows above`
        yield { kind: 'ragged', cells: Object.values(row.cells), error }
      } else addOffer(product, cells)
      continue
    }
    const product = new ShopProduct(id)
    describe(product, cells)
    addOffer(product, cells)
    if (!cellOf(cells, 'type').includes('variable')) {
      yield { kind: 'json', text: product.toJson() }
      continue
    }
    open.set(id, product)
    const sku = cellOf(cells, 'sku')
    if (sku !== '') idBySku.set(sku, id)
    if (open.size <= OPEN_PRODUCTS_MAX) continue
    const [oldest] = open.keys()
    yield { kind: 'json', text: open.get(oldest!)!.toJson() }
    open.delete(oldest!)
  }
  for (const product of open.values()) yield { kind: 'json', text: product.toJson() }
}

function describe(product: ShopProduct, cells: Cells): void {
  product.setText('title', cellOf(cells, 'name'))
  product.setText('description', textOfHtml(cellOf(cells, 'description', 'short description')))
  product.setText('brand', cellOf(cells, 'brands', 'brand'))
  product.setFlag('published', cellOf(cells, 'published'))
  product.setFlag('featured', cellOf(cells, 'is featured?'))
  const images = cellOf(cells, 'images').split(',')
  product.setText('image', images[0]!.trim())
  product.addTo('images', images)
  product.addTo('tags', cellOf(cells, 'tags').split(','))
  // `Clothes > Shirts, Sale`
  product.addTo('categories', cellOf(cells, 'categories').split(','))
}

function addOffer(product: ShopProduct, cells: Cells): void {
  const [regular, sale] = [cellOf(cells, 'regular price'), cellOf(cells, 'sale price')]
  if (sale === '') product.addPrice(regular, '')
  else product.addPrice(sale, regular)
  product.addStock(cellOf(cells, 'stock'))
  product.setFlag('in_stock', cellOf(cells, 'in stock?'))
  product.addTo('sku', [cellOf(cells, 'sku')])
  for (let i = 1; i <= ATTRIBUTES_MAX; i++) {
    const name = cellOf(cells, `attribute ${i} name`)
    if (name === '') break
    product.addOption(name, cellOf(cells, `attribute ${i} value(s)`).split(','))
  }
}
