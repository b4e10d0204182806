import {
  FakeServer,
  jsonAnswer,
  signatureOf,
  type FakeAnswer,
  type FakeRequest,
} from './fake-server.ts'

export interface FakeVariant {
  readonly sku?: string
  readonly barcode?: string
  readonly price: string
  readonly compareAtPrice?: string
  readonly stock?: number
  readonly options?: Readonly<Record<string, string>>
}

export interface FakeShopifyProduct {
  readonly id: string
  readonly title: string
  readonly description?: string
  readonly vendor?: string
  readonly type?: string
  readonly category?: string
  readonly tags?: readonly string[]
  readonly status?: 'ACTIVE' | 'DRAFT' | 'ARCHIVED'
  readonly isPublished?: boolean
  readonly pictures?: readonly string[]
  readonly collections?: readonly string[]
  readonly variants: readonly FakeVariant[]
}

interface Stored extends FakeShopifyProduct {
  readonly updatedMs: number
}

interface Operation {
  readonly id: string
  status: string
  errorCode: string | null
  pollsLeft: number
  readonly endsAs: { readonly status: string; readonly errorCode: string | null }
  readonly file: string
  readonly products: number
  signature: number
}

/** Versions that are answered; an older one is answered as the first. */
const VERSIONS = ['2026-01', '2026-04', '2026-07', '2026-10']
const OPERATIONS_MAX = 5

/**
 * Plays the Admin API of Shopify, as its documentation describes it: tokens, versions, the budget
 * of query costs, bulk operations with their files at signed addresses, and webhooks.
 */
export class FakeShopify extends FakeServer {
  readonly token = 'shpat_0123456789abcdef'
  readonly clientId = 'client-1'
  readonly clientSecret = 'shpss_0123456789abcdef'
  /** What the next bulk operation does. */
  readonly bulk = {
    /** Questions after which it has ended. */
    polls: 1,
    /** Ends of the next operations other than COMPLETED, such as `FAILED INTERNAL_SERVER_ERROR`. */
    ends: [] as string[],
    /** Addresses that have ended before they were used. */
    expired: 0,
    /** The file ends early: the connection is lost, or bytes are missing. */
    cutAt: undefined as number | undefined,
    dropsLines: 0,
    /** Operations of others that are running. */
    othersRunning: 0,
    /** Called when the file is asked for. */
    onFile: (): void => undefined,
  }
  /** Points that queries may cost. */
  readonly budget = { available: 1_000, maximum: 1_000, perSecond: 100 }
  readonly cancelled: string[] = []
  tokensIssued = 0
  readonly #products = new Map<string, Stored>()
  readonly #operations = new Map<string, Operation>()
  #clockMs = Date.parse('2026-11-01T00:00:00Z')

  static async start(): Promise<FakeShopify> {
    const shop = new FakeShopify()
    await shop.listen()
    return shop
  }

  private constructor() {
    super()
  }

  /** Adds a product, or changes it. */
  put(product: FakeShopifyProduct): void {
    this.#products.set(product.id, { ...product, updatedMs: (this.#clockMs += 1_000) })
  }

  remove(id: string): void {
    this.#products.delete(id)
  }

  /** Time passes, and the budget recovers. */
  pass(ms: number): void {
    this.#clockMs += ms
    const { available, maximum, perSecond } = this.budget
    this.budget.available = Math.min(maximum, available + (ms / 1_000) * perSecond)
  }

  /** Headers and body of a webhook. */
  webhook(
    topic: 'products/create' | 'products/update' | 'products/delete',
    id: string,
    { delivery = `delivery-${id}`, secret = this.clientSecret } = {},
  ): { readonly headers: Record<string, string>; readonly body: string } {
    const product = this.#products.get(id)
    const rest = product === undefined ? '' : `,"title":${JSON.stringify(product.title)}`
    // Ids are numbers of up to 64 bits.
    const body = `{"id":${id}${rest}}`
    const headers = {
      'content-type': 'application/json',
      'x-shopify-topic': topic,
      'x-shopify-shop-domain': 'example.myshopify.com',
      'x-shopify-api-version': '2026-10',
      'x-shopify-webhook-id': delivery,
      'x-shopify-hmac-sha256': signatureOf(body, secret),
    }
    return { headers, body }
  }

  protected override answer(request: FakeRequest): FakeAnswer {
    const { pathname } = request.url
    if (pathname === '/admin/oauth/access_token') return this.#exchange(request)
    if (pathname.startsWith('/bulk/')) return this.#file(request.url)
    const [, version] = /^\/admin\/api\/([^/]+)\/graphql\.json$/.exec(pathname) ?? []
    if (version === undefined || request.method !== 'POST')
      return jsonAnswer({ errors: 'Not Found' }, 404)
    const token = request.headers['x-shopify-access-token']
    if (token !== this.token && token !== this.#issued()) {
      return jsonAnswer({ errors: '[API] Invalid API key or access token' }, 401)
    }
    if (!VERSIONS.includes(version) && version > VERSIONS[0]!)
      return jsonAnswer({ errors: 'Not Found' }, 404)
    const served = VERSIONS.includes(version) ? version : VERSIONS[0]!
    const { query, variables } = JSON.parse(request.body) as Query
    return this.#graphql(query, variables ?? {}, {
      'x-shopify-api-version': served,
      date: new Date(this.#clockMs).toUTCString(),
    })
  }

  #exchange({ body }: FakeRequest): FakeAnswer {
    const form = new URLSearchParams(body)
    const isRight =
      form.get('grant_type') === 'client_credentials' &&
      form.get('client_id') === this.clientId &&
      form.get('client_secret') === this.clientSecret
    if (!isRight) return jsonAnswer({ error: 'invalid_client' }, 400)
    this.tokensIssued++
    return jsonAnswer({ access_token: this.#issued(), scope: 'read_products', expires_in: 86_399 })
  }

  /** The newest exchanged token; the one before has ended. */
  #issued(): string {
    return `shpat_exchanged_${this.tokensIssued}`
  }

  #graphql(query: string, variables: Variables, headers: Record<string, string>): FakeAnswer {
    const cost = costOf(query)
    const { budget } = this
    if (cost > budget.available) {
      const errors = [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }]
      return jsonAnswer({ errors, extensions: this.#cost(cost, null) }, 200, headers)
    }
    budget.available -= cost
    const data = this.#data(query, variables)
    return jsonAnswer({ data, extensions: this.#cost(cost, cost) }, 200, headers)
  }

  #cost(requested: number, actual: number | null): unknown {
    const { available, maximum, perSecond } = this.budget
    return {
      cost: {
        requestedQueryCost: requested,
        actualQueryCost: actual,
        throttleStatus: {
          maximumAvailable: maximum,
          currentlyAvailable: Math.floor(available),
          restoreRate: perSecond,
        },
      },
    }
  }

  #data(query: string, variables: Variables): unknown {
    if (query.includes('bulkOperationRunQuery')) return this.#startBulk(String(variables['query']))
    if (query.includes('bulkOperationCancel')) return this.#cancel(String(variables['id']))
    if (query.includes('node(id')) return { node: this.#poll(String(variables['id'])) }
    if (query.includes('product(id')) return { product: this.#product(query, variables) }
    if (query.includes('products(')) return { products: this.#list(query, variables) }
    throw new Error(`A query that the fake does not know: ${query}`)
  }

  #startBulk(query: string): unknown {
    const connections = query.split('edges').length - 1
    const fails = (code: string, message: string): unknown => ({
      bulkOperationRunQuery: {
        bulkOperation: null,
        userErrors: [{ field: ['query'], message, code }],
      },
    })
    if (connections === 0 || connections > 5) {
      return fails('INVALID', 'Bulk queries must contain one to five connections')
    }
    const running = [...this.#operations.values()].filter(({ status }) => status === 'RUNNING')
    if (running.length + this.bulk.othersRunning >= OPERATIONS_MAX) {
      if (this.bulk.othersRunning > 0) this.bulk.othersRunning--
      return fails('OPERATION_IN_PROGRESS', 'The limit of bulk operations is reached')
    }
    const id = `gid://shopify/BulkOperation/${this.#operations.size + 1}`
    const lines = [...this.#products.values()].flatMap((one) => linesOf(one))
    const [status = 'COMPLETED', errorCode = null] = (this.bulk.ends.shift() ?? 'COMPLETED').split(
      ' ',
    )
    this.#operations.set(id, {
      id,
      status: 'RUNNING',
      errorCode: null,
      pollsLeft: this.bulk.polls,
      file: lines.map((line) => `${line}\n`).join(''),
      products: this.#products.size,
      signature: 1,
      endsAs: { status, errorCode },
    })
    return { bulkOperationRunQuery: { bulkOperation: { id, status: 'CREATED' }, userErrors: [] } }
  }

  #poll(id: string): unknown {
    const operation = this.#operations.get(id)
    if (operation === undefined) return null
    if (operation.pollsLeft-- <= 0 && operation.status === 'RUNNING')
      Object.assign(operation, operation.endsAs)
    const isComplete = operation.status === 'COMPLETED'
    const number = id.split('/').at(-1)
    // Each answer has a newly signed address.
    if (isComplete) operation.signature++
    return {
      id,
      status: operation.status,
      errorCode: operation.errorCode,
      rootObjectCount: String(operation.products),
      fileSize: isComplete ? String(Buffer.byteLength(operation.file)) : null,
      url:
        isComplete && operation.file !== ''
          ? `${this.url}/bulk/${number}?signature=${operation.signature}`
          : null,
    }
  }

  #cancel(id: string): unknown {
    this.cancelled.push(id)
    const operation = this.#operations.get(id)
    if (operation !== undefined) operation.status = 'CANCELED'
    return { bulkOperationCancel: { bulkOperation: { id }, userErrors: [] } }
  }

  #file(url: URL): FakeAnswer {
    const operation = this.#operations.get(`gid://shopify/BulkOperation/${url.pathname.slice(6)}`)
    const { bulk } = this
    if (operation === undefined || bulk.expired > 0) {
      bulk.expired--
      return { status: 403, body: '<Error><Code>ExpiredToken</Code></Error>' }
    }
    bulk.onFile()
    const lines = operation.file.split('\n')
    const body = lines.slice(0, lines.length - bulk.dropsLines).join('\n')
    return {
      status: 200,
      headers: { 'content-type': 'application/jsonl' },
      body,
      ...(bulk.cutAt === undefined ? {} : { cutAt: bulk.cutAt }),
    }
  }

  #list(query: string, variables: Variables): unknown {
    const { filter } = variables
    const [, first] = /products\(first: (\d+)/.exec(query) ?? []
    const [, since = ''] = /updated_at:>='([^']+)'/.exec(String(filter)) ?? []
    const all = [...this.#products.values()]
      .filter(({ updatedMs }) => since === '' || updatedMs >= Date.parse(since))
      .toSorted((a, b) => (query.includes('UPDATED_AT') ? a.updatedMs - b.updatedMs : 0))
    const begin = Number(variables['after'] ?? 0)
    const end = begin + Number(first)
    const nodes = all.slice(begin, end).map((product) =>
      query.includes('title')
        ? {
            ...nodeOf(product),
            variants: { nodes: variantsOf(product).slice(0, 10) },
            media: { nodes: mediaOf(product).slice(0, 5) },
            collections: { nodes: collectionsOf(product).slice(0, 5) },
          }
        : { id: gid('Product', product.id), updatedAt: new Date(product.updatedMs).toISOString() },
    )
    return { nodes, pageInfo: { hasNextPage: end < all.length, endCursor: String(end) } }
  }

  #product(query: string, variables: Variables): unknown {
    const product = this.#products.get(String(variables['id']).split('/').at(-1)!)
    if (product === undefined) return null
    const begin = Number(variables['after'] ?? 0)
    const end = begin + 100
    const variants = {
      nodes: variantsOf(product).slice(begin, end),
      pageInfo: { hasNextPage: end < product.variants.length, endCursor: String(end) },
    }
    if (!query.includes('title')) return { variants }
    return {
      ...nodeOf(product),
      variants,
      media: { nodes: mediaOf(product).slice(0, 20) },
      collections: { nodes: collectionsOf(product) },
    }
  }
}

type Variables = Readonly<Record<string, unknown>>
interface Query {
  readonly query: string
  readonly variables?: Variables
}

/** Objects cost a point, mutations ten; a connection costs what it may return. */
function costOf(query: string): number {
  if (query.startsWith('mutation')) return 10
  let cost = 1
  for (const [, first] of query.matchAll(/first: (\d+)/g)) cost += 2 + Number(first)
  return cost
}

function gid(kind: string, id: string): string {
  return `gid://shopify/${kind}/${id}`
}

function nodeOf(product: Stored): Record<string, unknown> {
  const { id, title, isPublished = true, pictures = [], status = 'ACTIVE' } = product
  const handle = title.toLowerCase().replaceAll(' ', '-')
  return {
    id: gid('Product', id),
    handle,
    title,
    descriptionHtml: product.description ?? '',
    vendor: product.vendor ?? '',
    productType: product.type ?? '',
    category: product.category === undefined ? null : { fullName: product.category },
    tags: product.tags ?? [],
    status,
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt: new Date(product.updatedMs).toISOString(),
    publishedAt: isPublished ? '2026-01-02T00:00:00Z' : null,
    onlineStoreUrl: isPublished ? `https://shop.example/products/${handle}` : null,
    featuredMedia: pictures[0] === undefined ? null : { preview: { image: { url: pictures[0] } } },
  }
}

function variantsOf({ id, variants }: Stored): unknown[] {
  return variants.map((one, i) => ({
    id: gid('ProductVariant', `${id}${i}`),
    sku: one.sku ?? '',
    barcode: one.barcode ?? null,
    price: one.price,
    compareAtPrice: one.compareAtPrice ?? null,
    inventoryQuantity: one.stock ?? 0,
    availableForSale: (one.stock ?? 0) > 0,
    selectedOptions: Object.entries(one.options ?? { Title: 'Default Title' }).map(
      ([name, value]) => ({ name, value }),
    ),
  }))
}

function mediaOf({ id, pictures = [] }: Stored): unknown[] {
  return pictures.map((url, i) => ({
    id: gid('MediaImage', `${id}${i}`),
    preview: { image: { url } },
  }))
}

function collectionsOf({ collections = [] }: Stored): unknown[] {
  return collections.map((title) => ({ id: gid('Collection', String(title.length)), title }))
}

/** Lines of a product in the file of a bulk operation that groups objects. */
function linesOf(product: Stored): string[] {
  const node = nodeOf(product)
  const children = [...variantsOf(product), ...mediaOf(product), ...collectionsOf(product)]
  return [
    JSON.stringify(node),
    ...children.map((one) => JSON.stringify({ ...(one as object), __parentId: node['id'] })),
  ]
}
