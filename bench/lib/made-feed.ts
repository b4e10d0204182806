const PIECE_CHARS = 65_536
const TEXT = 'Light, stable &amp; quickly put up, for two people and a dog in any weather. '

/** Fields of a store for it. */
export const FEED_FIELDS = [
  { name: 'title', type: 'string', searchable: true },
  { name: 'brand', type: 'string', facet: true },
  { name: 'price', type: 'float', facet: true, sort: true },
  { name: 'sale_price', type: 'float', sort: true },
  { name: 'currency', type: 'string' },
  { name: 'availability', type: 'string', facet: true },
  { name: 'product_type', type: 'string', facet: true },
  { name: 'description', type: 'string', searchable: true },
  { name: 'link', type: 'string' },
  { name: 'image_link', type: 'string' },
  { name: 'gtin', type: 'string', searchable: true },
]

/**
 * A feed of Google Merchant with about 2 KB per product, which is never kept.
 *
 * @param changedShare the share of products that have another price, spread over the feed
 */
export async function* feedOf(products: number, changedShare = 0): AsyncGenerator<Uint8Array> {
  const every = Math.round(1 / changedShare)
  let piece =
    '<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><title>Shop</title>\n'
  for (let i = 0; i < products; i++) {
    piece += itemOf(i, changedShare > 0 && i % every === 0)
    if (piece.length < PIECE_CHARS) continue
    yield Buffer.from(piece)
    piece = ''
    // Files arrive in turns as well.
    await Promise.resolve()
  }
  yield Buffer.from(`${piece}</channel></rss>\n`)
}

function itemOf(i: number, isChanged: boolean): string {
  const attributes: readonly (readonly [name: string, value: string])[] = [
    ['id', `SKU-${i}`],
    ['item_group_id', `G-${i >> 2}`],
    ['title', `Dome tent ${i} in color ${i % 7}`],
    ['description', TEXT.repeat(14)],
    ['link', `https://shop.example/products/${i}`],
    ['image_link', `https://shop.example/images/${i}.jpg`],
    ['additional_image_link', `https://shop.example/images/${i}-back.jpg`],
    ['price', `${20 + (i % 900)}.${isChanged ? 49 : 99} EUR`],
    ['sale_price', `${15 + (i % 900)}.99 EUR`],
    ['availability', i % 9 === 0 ? 'out of stock' : 'in stock'],
    ['brand', `Brand ${i % 300}`],
    ['gtin', String(4_006_381_000_000 + i)],
    ['mpn', `M${i}`],
    ['condition', 'new'],
    ['product_type', `Outdoor &gt; Tents &gt; Kind ${i % 40}`],
    ['google_product_category', '1016'],
    ['shipping', '<g:country>DE</g:country><g:price>4.90 EUR</g:price>'],
    ['custom_label_0', 'summer'],
  ]
  return `<item>${attributes.map(([name, value]) => `<g:${name}>${value}</g:${name}>`).join('\n')}</item>\n`
}
