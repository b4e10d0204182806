import {
  FakeServer,
  jsonAnswer,
  signatureOf,
  type FakeAnswer,
  type FakeRequest,
} from './fake-server.ts'

export interface FakeWooOffer {
  readonly sku?: string
  readonly regularPrice?: string
  readonly salePrice?: string
  /** Undefined: the stock is not counted; of a variation, `parent`: with its product. */
  readonly stock?: number | 'parent'
}

export interface FakeWooVariation extends FakeWooOffer {
  readonly id: number
  readonly status?: 'publish' | 'private'
  readonly attributes: Readonly<Record<string, string>>
}

export interface FakeWooProduct extends FakeWooOffer {
  readonly id: number
  readonly name: string
  readonly description?: string
  readonly brand?: string
  readonly status?: 'publish' | 'draft' | 'private' | 'trash'
  readonly visibility?: 'visible' | 'catalog' | 'search' | 'hidden'
  readonly categories?: readonly number[]
  readonly tags?: readonly string[]
  readonly pictures?: readonly string[]
  readonly attributes?: Readonly<Record<string, readonly string[]>>
  readonly variations?: readonly FakeWooVariation[]
}

/** The most that a page may have. */
const PER_PAGE_MAX = 100

/**
 * Plays the REST API of WooCommerce, as its documentation describes it: keys by basic
 * authentication, pages by number or offset, dates, variations and webhooks.
 */
export class FakeWooCommerce extends FakeServer {
  readonly key = 'ck_0123456789abcdef'
  readonly secret = 'cs_0123456789abcdef'
  readonly webhookSecret = 'webhook-secret'
  /** Called before a request is answered: the shop changes while it is read. */
  onRequest: (path: string) => void = () => undefined
  readonly #products = new Map<number, FakeWooProduct & { readonly modifiedMs: number }>()
  readonly #categories = new Map<number, { readonly name: string; readonly parent: number }>()
  #clockMs = Date.parse('2026-11-01T00:00:00Z')

  static async start(): Promise<FakeWooCommerce> {
    const shop = new FakeWooCommerce()
    await shop.listen()
    return shop
  }

  private constructor() {
    super()
  }

  putCategory(id: number, name: string, parent = 0): void {
    this.#categories.set(id, { name, parent })
  }

  /** Adds a product, or changes it. */
  put(product: FakeWooProduct): void {
    this.#products.set(product.id, { ...product, modifiedMs: (this.#clockMs += 1_000) })
  }

  remove(id: number): void {
    this.#products.delete(id)
  }

  pass(ms: number): void {
    this.#clockMs += ms
  }

  /** Headers and body of a webhook. A variation has its parent in it. */
  webhook(
    topic: 'product.created' | 'product.updated' | 'product.deleted' | 'product.restored',
    id: number,
    { delivery = `delivery-${id}`, secret = this.webhookSecret } = {},
  ): { readonly headers: Record<string, string>; readonly body: string } {
    const found = this.#find(id)
    const body = JSON.stringify(topic === 'product.deleted' || found === undefined ? { id } : found)
    const headers = {
      'content-type': 'application/json',
      'x-wc-webhook-source': 'https://shop.example/',
      'x-wc-webhook-topic': topic,
      'x-wc-webhook-resource': 'product',
      'x-wc-webhook-event': topic.split('.')[1]!,
      'x-wc-webhook-signature': signatureOf(body, secret),
      'x-wc-webhook-id': '7',
      'x-wc-webhook-delivery-id': delivery,
    }
    return { headers, body }
  }

  protected override answer({ method, url, headers }: FakeRequest): FakeAnswer {
    const path = url.pathname.replace('/wp-json/wc/v3/', '')
    this.onRequest(path)
    const basic = `Basic ${Buffer.from(`${this.key}:${this.secret}`).toString('base64')}`
    if (headers.authorization !== basic) {
      return failure(401, 'woocommerce_rest_cannot_view', 'Sorry, you cannot list resources.')
    }
    if (method !== 'GET' || !url.pathname.startsWith('/wp-json/wc/v3/')) {
      return failure(
        404,
        'rest_no_route',
        'No route was found matching the URL and request method.',
      )
    }
    const parts = path.split('/')
    if (path === 'products') return this.#page(this.#listed(url), url)
    if (path === 'products/categories') {
      const all = [...this.#categories].map(([id, { name, parent }]) => ({ id, name, parent }))
      return this.#page(all, url)
    }
    const product = this.#products.get(Number(parts[1]))
    if (parts[2] === 'variations' && product !== undefined) {
      return this.#page(
        (product.variations ?? []).map((one) => variationOf(product.id, one)),
        url,
      )
    }
    const found = parts.length === 2 ? this.#find(Number(parts[1])) : undefined
    if (found === undefined)
      return failure(404, 'woocommerce_rest_product_invalid_id', 'Invalid ID.')
    return jsonAnswer(fieldsOf(found, url), 200, { date: this.#date() })
  }

  #date(): string {
    return new Date(this.#clockMs).toUTCString()
  }

  #find(id: number): Record<string, unknown> | undefined {
    const product = this.#products.get(id)
    if (product !== undefined) return this.#productOf(product)
    for (const one of this.#products.values()) {
      const variation = one.variations?.find((variation) => variation.id === id)
      if (variation !== undefined) return variationOf(one.id, variation)
    }
    return undefined
  }

  #listed(url: URL): Record<string, unknown>[] {
    const status = url.searchParams.get('status') ?? 'any'
    const after = url.searchParams.get('modified_after')
    const sinceMs = after === null ? 0 : Date.parse(`${after}Z`)
    return [...this.#products.values()]
      .filter((one) => {
        const { status: own = 'publish' } = one
        return (status === 'any' ? own !== 'trash' : own === status) && one.modifiedMs > sinceMs
      })
      .toSorted((a, b) => a.id - b.id)
      .map((one) => this.#productOf(one))
  }

  #page(all: readonly Record<string, unknown>[], url: URL): FakeAnswer {
    const number = (name: string, byDefault: number): number =>
      Number(url.searchParams.get(name) ?? byDefault)
    const perPage = number('per_page', 10)
    if (perPage < 1 || perPage > PER_PAGE_MAX) {
      return failure(400, 'rest_invalid_param', 'Invalid parameter(s): per_page')
    }
    const begin = number('offset', (number('page', 1) - 1) * perPage)
    const some = all.slice(begin, begin + perPage).map((one) => fieldsOf(one, url))
    return jsonAnswer(some, 200, {
      'x-wp-total': String(all.length),
      'x-wp-totalpages': String(Math.ceil(all.length / perPage)),
      date: this.#date(),
    })
  }

  #productOf(product: FakeWooProduct & { readonly modifiedMs: number }): Record<string, unknown> {
    const { variations = [], brand } = product
    const prices = variations.map((one) => Number(one.salePrice ?? one.regularPrice ?? ''))
    return {
      ...offerOf(product),
      ...(variations.length > 0 ? { price: String(Math.min(...prices)), regular_price: '' } : {}),
      name: product.name,
      type: variations.length > 0 ? 'variable' : 'simple',
      status: product.status ?? 'publish',
      catalog_visibility: product.visibility ?? 'visible',
      parent_id: 0,
      featured: false,
      permalink: `https://shop.example/product/${product.id}/`,
      description: product.description ?? '',
      short_description: '',
      date_created_gmt: '2026-01-01T00:00:00',
      date_modified_gmt: new Date(product.modifiedMs).toISOString().slice(0, 19),
      categories: (product.categories ?? []).map((id) => ({
        id,
        name: this.#categories.get(id)?.name ?? '',
      })),
      tags: (product.tags ?? []).map((name, i) => ({ id: i + 1, name })),
      brands: brand === undefined ? [] : [{ id: 1, name: brand }],
      images: (product.pictures ?? []).map((src, i) => ({ id: i + 1, src })),
      attributes: Object.entries(product.attributes ?? {}).map(([name, options]) => ({
        id: 1,
        name,
        options,
      })),
      variations: variations.map(({ id }) => id),
    }
  }
}

function offerOf(offer: FakeWooOffer & { readonly id: number }): Record<string, unknown> {
  const { id, sku = '', regularPrice = '', salePrice = '', stock } = offer
  return {
    id,
    sku,
    price: salePrice === '' ? regularPrice : salePrice,
    regular_price: regularPrice,
    sale_price: salePrice,
    on_sale: salePrice !== '',
    manage_stock: stock === 'parent' ? stock : stock !== undefined,
    // A variation without its own stock shows that of its product.
    stock_quantity: stock === 'parent' ? 50 : (stock ?? null),
    stock_status: stock === 0 ? 'outofstock' : 'instock',
  }
}

function variationOf(parent: number, variation: FakeWooVariation): Record<string, unknown> {
  return {
    ...offerOf(variation),
    type: 'variation',
    parent_id: parent,
    status: variation.status ?? 'publish',
    attributes: Object.entries(variation.attributes).map(([name, option]) => ({
      id: 1,
      name,
      option,
    })),
  }
}

/** `_fields` of the request. */
function fieldsOf(whole: Record<string, unknown>, url: URL): Record<string, unknown> {
  const fields = url.searchParams.get('_fields')?.split(',')
  if (fields === undefined) return whole
  return Object.fromEntries(fields.filter((one) => one in whole).map((one) => [one, whole[one]]))
}

function failure(status: number, code: string, message: string): FakeAnswer {
  return jsonAnswer({ code, message, data: { status } }, status)
}
