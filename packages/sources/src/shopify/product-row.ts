import { ShopProduct, textOfHtml, type SourceRow } from '@aisle/import'
import {
  COLLECTIONS_MAX,
  IMAGES_MAX,
  type ShopifyProduct,
  type VariantNode,
} from './product-query.ts'

/** `gid://shopify/Product/123` is document `123`. */
export function documentId(gid: string): string {
  return gid.slice(gid.lastIndexOf('/') + 1)
}

export function productGid(id: string): string {
  return `gid://shopify/Product/${id}`
}

/** Whether visitors of the shop can find it. */
export function isPublished({ node }: ShopifyProduct): boolean {
  return node.status === 'ACTIVE' && node.publishedAt !== null
}

/**
 * The document of a product, with the fields that an import of a Shopify export gives it: what its
 * variants have is combined.
 */
export function productRow(product: ShopifyProduct): SourceRow {
  const { node } = product
  const made = new ShopProduct(documentId(node.id))
  made.setText('title', node.title)
  made.setText('description', textOfHtml(node.descriptionHtml ?? ''))
  made.setText('brand', node.vendor ?? '')
  made.setText('category', node.category?.fullName ?? '')
  made.setText('product_type', node.productType ?? '')
  made.setText('status', node.status.toLowerCase())
  made.setText('handle', node.handle)
  made.setText('url', node.onlineStoreUrl ?? '')
  made.setText('created_at', node.createdAt)
  made.setFlag('published', String(isPublished(product)))
  made.setFlag('in_stock', String(product.variants.some((one) => one.availableForSale)))
  made.addTo('tags', node.tags)
  const pictures = product.media.map((one) => one.preview?.image?.url ?? '')
  made.setText('image', node.featuredMedia?.preview?.image?.url ?? pictures[0] ?? '')
  made.addTo('images', pictures.slice(0, IMAGES_MAX))
  const collections = product.collections.slice(0, COLLECTIONS_MAX)
  made.addTo(
    'collections',
    collections.map((one) => one.title),
  )
  for (const variant of product.variants) addVariant(made, variant)
  return { kind: 'json', text: made.toJson() }
}

function addVariant(made: ShopProduct, variant: VariantNode): void {
  made.addPrice(variant.price, variant.compareAtPrice ?? '')
  if (variant.inventoryQuantity !== null) made.addStock(String(variant.inventoryQuantity))
  made.addTo('sku', [variant.sku ?? ''])
  made.addTo('barcode', [variant.barcode ?? ''])
  for (const { name, value } of variant.selectedOptions) {
    // A product without variants has one option of this name.
    if (name !== 'Title') made.addOption(name, [value])
  }
}
