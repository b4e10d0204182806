import { ShopProduct, textOfHtml, type SourceRow } from '@aisle/import'
import type { WooCategory, WooOffer, WooProduct } from './woo-product.ts'

/** Deepest path of a category; a circle of parents ends there. */
const LEVELS_MAX = 20

/** Categories with their parents: `Clothes > Shirts`. */
export class CategoryPaths {
  readonly #byId = new Map<number, WooCategory>()

  add(category: WooCategory): void {
    this.#byId.set(category.id, category)
  }

  has(id: number): boolean {
    return this.#byId.has(id)
  }

  /** The path of a category; its name if it is not known. */
  pathOf({ id, name }: { readonly id: number; readonly name: string }): string {
    const names: string[] = []
    for (let at = this.#byId.get(id); at !== undefined && names.length < LEVELS_MAX;) {
      names.unshift(textOfHtml(at.name))
      at = this.#byId.get(at.parent)
    }
    return names.length === 0 ? textOfHtml(name) : names.join(' > ')
  }
}

/** Whether visitors of the shop find it by searching. */
export function isShown({ status, catalog_visibility: shown }: WooProduct): boolean {
  return status === 'publish' && (shown === 'visible' || shown === 'search')
}

/**
 * The document of a product, with the fields that an import of a WooCommerce export gives it: what
 * its variations have is combined.
 */
export function wooRow(
  product: WooProduct,
  variations: readonly WooOffer[],
  categories: CategoryPaths,
): SourceRow {
  const made = new ShopProduct(String(product.id))
  made.setText('title', textOfHtml(product.name))
  made.setText('description', textOfHtml(product.description || product.short_description))
  const [brand] = product.brands ?? []
  made.setText('brand', textOfHtml(brand?.name ?? ''))
  made.setText('url', product.permalink)
  const created = product.date_created_gmt
  made.setText('created_at', created === null ? '' : `${created}Z`)
  made.setFlag('published', String(isShown(product)))
  made.setFlag('featured', String(product.featured))
  const pictures = (product.images ?? []).map(({ src }) => src)
  made.setText('image', pictures[0] ?? '')
  made.addTo('images', pictures)
  made.addTo(
    'tags',
    (product.tags ?? []).map(({ name }) => textOfHtml(name)),
  )
  made.addTo(
    'categories',
    (product.categories ?? []).map((one) => categories.pathOf(one)),
  )
  // What a product with variations costs itself is the least of them.
  if (variations.length === 0) addPrice(made, product)
  addOffer(made, product)
  made.setFlag('in_stock', String(product.stock_status !== 'outofstock'))
  for (const variation of variations) {
    addPrice(made, variation)
    addOffer(made, variation)
  }
  return { kind: 'json', text: made.toJson() }
}

function addPrice(made: ShopProduct, offer: WooOffer): void {
  made.addPrice(offer.price, offer.on_sale ? offer.regular_price : '')
}

function addOffer(made: ShopProduct, offer: WooOffer): void {
  // `parent`: the variation shows the stock of its product, which is counted there.
  if (offer.manage_stock === true && offer.stock_quantity !== null) {
    made.addStock(String(offer.stock_quantity))
  }
  made.addTo('sku', [offer.sku])
  for (const { name, options, option } of offer.attributes) {
    made.addOption(textOfHtml(name), (options ?? [option ?? '']).map(textOfHtml))
  }
}
