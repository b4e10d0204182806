/**
 * Creates a store, sets its schema, indexes a few documents and searches them, with nothing but
 * `fetch`:
 *
 *     AISLE_ADMIN_TOKEN=at_... npx node examples/index-and-search.ts
 *
 * The service runs at AISLE_URL (http://127.0.0.1:7700). The store is deleted at the end.
 */
const url = process.env['AISLE_URL'] ?? 'http://127.0.0.1:7700'
const adminToken = process.env['AISLE_ADMIN_TOKEN'] ?? ''

interface Store {
  readonly store_id: string
  readonly read_secret: string
  readonly write_secret: string
}

interface SearchAnswer {
  readonly found: number
  readonly corrected_query?: string
  readonly hits: readonly {
    readonly document: { readonly title: string; readonly price: number }
    readonly highlight: Readonly<Record<string, string>>
  }[]
  readonly facets?: Readonly<Record<string, readonly { value: string; count: number }[]>>
}

/** Sends a request. All errors have the same body: docs/errors.md. */
async function call<T>(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: object,
): Promise<T> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const value: unknown = await answer.json()
  if (!answer.ok) {
    const { code, error } = value as { code: string; error: string }
    throw new Error(`${method} ${path} answered ${answer.status} ${code}: ${error}`)
  }
  return value as T
}

const admin = { authorization: `Bearer ${adminToken}` }
const store = await call<Store>('POST', '/api/v1/admin/stores', admin, { name: 'Example' })
const path = `/api/v1/stores/${store.store_id}`
const writing = { 'x-storeid': store.store_id, 'x-store-write-secret': store.write_secret }
const reading = { 'x-storeid': store.store_id, 'x-storesecret': store.read_secret }

await call('POST', `${path}/schema`, writing, {
  fields: [
    { name: 'title', type: 'string', searchable: true },
    { name: 'colors', type: 'string[]', searchable: true, facet: true },
    { name: 'price', type: 'float', facet: true, sort: true },
  ],
})

// A bulk request answers 207: each document has a result, and valid ones are indexed even if others
// fail.
const bulk = await call<{ indexed: number; errors: { id: string; error: string }[] }>(
  'POST',
  `${path}/documents/bulk`,
  writing,
  {
    documents: [
      { id: 'boot-1', title: 'Waterproof hiking boots', colors: ['brown', 'black'], price: 129 },
      { id: 'boot-2', title: 'Winter boots', colors: ['black'], price: 89.5 },
      { id: 'sock-1', title: 'Hiking socks', colors: ['grey'], price: 14 },
      { id: 'sock-2', title: 'Wool socks', colors: ['grey'], price: 'cheap' },
    ],
  },
)
console.log(`${bulk.indexed} documents indexed`)
for (const { id, error } of bulk.errors) console.log(`${id} was refused: ${error}`)

// Acknowledged documents are durable and visible: this search sees them.
const answer = await call<SearchAnswer>('POST', '/v1/search', reading, {
  q: 'hikng boots',
  filter_by: 'price:[50..150]',
  facet_by: 'colors',
})
console.log(`${answer.found} found for "${answer.corrected_query}"`)
for (const { document, highlight } of answer.hits) {
  console.log(`${document.price.toFixed(2)}  ${highlight['title'] ?? document.title}`)
}
for (const { value, count } of answer.facets?.['colors'] ?? []) console.log(`${value}: ${count}`)

await call('DELETE', `/api/v1/admin/stores/${store.store_id}`, admin)
