/** A product of a page, as columns of a product feed. */
export type PageProduct = Readonly<Record<string, unknown>>

type Json = Readonly<Record<string, unknown>>

const SCRIPT = '<script'
const SCRIPT_END = '</script'
/** Objects inside each other. */
const DEPTH_MAX = 10

/**
 * The products of a page, from its JSON-LD with the words of schema.org. Variants of a
 * `ProductGroup` have what the group says and they do not.
 *
 * @param url of the page, for products that do not say theirs
 */
export function pageProducts(html: string, url: string): PageProduct[] {
  const products = jsonLdOf(html).flatMap((root) => productsIn(root, url, DEPTH_MAX))
  // A page may say the same twice.
  return [...new Map(products.map((product) => [product['id'], product])).values()]
}

/** Blocks that are not JSON are left out: browsers do so, and so do search engines. */
function jsonLdOf(html: string): unknown[] {
  const lower = html.toLowerCase()
  const found: unknown[] = []
  for (let at = lower.indexOf(SCRIPT); at !== -1; at = lower.indexOf(SCRIPT, at)) {
    const open = lower.indexOf('>', at)
    const close = open === -1 ? -1 : lower.indexOf(SCRIPT_END, open)
    if (close === -1) break
    if (lower.slice(at, open).includes('application/ld+json')) {
      try {
        found.push(JSON.parse(html.slice(open + 1, close)))
      } catch {
        // Not JSON.
      }
    }
    at = close
  }
  return found
}

function productsIn(value: unknown, url: string, depth: number): PageProduct[] {
  if (depth === 0 || typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((one) => productsIn(one, url, depth - 1))
  const node = value as Json
  if (hasType(node, 'ProductGroup')) {
    const variants = listOf(node['hasVariant']).filter(isJson)
    const group = textOf(node['productGroupID']) ?? textOf(node['sku'])
    const { hasVariant: _, sku: __, ...shared } = node
    return variants.flatMap((variant) =>
      productOf({ ...shared, ...variant, '@type': 'Product' }, url, group),
    )
  }
  if (hasType(node, 'Product')) return productOf(node, url, undefined)
  return ['@graph', 'mainEntity', 'itemListElement', 'item'].flatMap((name) =>
    productsIn(node[name], url, depth - 1),
  )
}

function productOf(node: Json, pageUrl: string, group: string | undefined): PageProduct[] {
  const [offer = {}] = listOf(node['offers']).filter(isJson)
  const [rating = {}] = listOf(node['aggregateRating']).filter(isJson)
  const [price = {}] = listOf(offer['priceSpecification']).filter(isJson)
  const gtin = ['gtin', 'gtin13', 'gtin14', 'gtin12', 'gtin8'].map((name) => textOf(node[name]))
  const address = urlOf(textOf(node['url']) ?? textOf(offer['url']), pageUrl)
  const id = textOf(node['sku']) ?? textOf(node['productID']) ?? textOf(offer['sku']) ?? address
  const columns: [string, unknown][] = [
    ['id', id],
    ['item_group_id', group ?? nameOf(node['isVariantOf'], 'productGroupID')],
    ['title', textOf(node['name'])],
    ['description', textOf(node['description'])],
    ['link', address],
    ['image_link', listOf(node['image']).map(imageOf).find(Boolean)],
    ['brand', nameOf(node['brand'])],
    ['price', offer['price'] ?? offer['lowPrice'] ?? price['price']],
    ['currency', textOf(offer['priceCurrency'] ?? price['priceCurrency'])],
    ['availability', lastName(textOf(offer['availability']))],
    ['condition', lastName(textOf(offer['itemCondition'] ?? node['itemCondition']))],
    ['gtin', gtin.find(Boolean)],
    ['mpn', textOf(node['mpn'])],
    ['product_type', nameOf(node['category'])],
    ['color', textOf(node['color'])],
    ['size', nameOf(node['size'])],
    ['material', nameOf(node['material'])],
    ['rating', rating['ratingValue']],
    ['reviews', rating['reviewCount'] ?? rating['ratingCount']],
  ]
  const known = columns.filter(([, value]) => value !== undefined && value !== null && value !== '')
  return [Object.fromEntries(known)]
}

function hasType(node: Json, type: string): boolean {
  return listOf(node['@type']).some((one) => lastName(textOf(one)) === type)
}

/** `https://schema.org/InStock` is `InStock`. */
function lastName(text: string | undefined): string | undefined {
  return text?.slice(text.lastIndexOf('/') + 1)
}

function nameOf(value: unknown, name = 'name'): string | undefined {
  const [first] = listOf(value)
  return isJson(first) ? textOf(first[name]) : textOf(first)
}

function imageOf(value: unknown): string | undefined {
  return isJson(value) ? textOf(value['url'] ?? value['contentUrl']) : textOf(value)
}

function urlOf(text: string | undefined, base: string): string {
  return (text === undefined ? null : URL.parse(text, base))?.href ?? base
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
