import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AisleClient } from '@aisle/client'
import { LAMPS, startLampStores, type LampStores } from './lamp-stores.ts'

/** The adapter is for browsers, whose types tests do not have. */
const ADAPTER: string = '@aisle/instantsearch-adapter'

interface Found {
  readonly nbHits: number
  readonly nbPages: number
  readonly hits: readonly { readonly objectID: string; readonly _snippetResult?: object }[]
}

interface Adapter {
  instantSearchClient(options: object): {
    search(requests: readonly object[]): Promise<{ results: Found[] }>
  }
}

// Goal: what no widget shows is also right: groups, fields inside of an object, and the words of
// errors. Method: the search client with a running service.

suite('the search client of InstantSearch with a service', { timeout: 600_000 }, () => {
  let lamps: LampStores
  const warnings: string[] = []
  before(async () => {
    lamps = await startLampStores()
    const client = new AisleClient({ url: lamps.server.url })
    const shop = client.store('lamps', lamps.store)
    await shop.changeSettings({ distinct: { field: 'brand', limit: 1 } })
    await shop.changeSchema({
      fields: [
        { name: 'specs', type: 'object' },
        { name: 'specs.*', type: 'auto', searchable: true },
      ],
    })
    await shop.updateDocuments('id:=lamp-7', { specs: { socket: 'bayonet' } })
  })
  after(() => lamps.server.stop())

  async function ask(params: object): Promise<Found> {
    const { server, stores } = lamps
    const onWarning = (warning: string) => void warnings.push(warning)
    const { instantSearchClient } = (await import(ADAPTER)) as Adapter
    const client = instantSearchClient({ url: server.url, stores, onWarning })
    const { results } = await client.search([{ indexName: 'lamps', params }])
    return results[0]!
  }

  test('distinct: nbHits counts groups, and a number above 1 is told', async () => {
    const brands = new Set(LAMPS.map(({ brand }) => brand)).size
    for (const distinct of [undefined, true, 3]) {
      const { nbHits, nbPages, hits } = await ask({ distinct, hitsPerPage: 2 })
      assert.deepEqual([nbHits, nbPages, hits.length], [brands, Math.ceil(brands / 2), 2])
    }
    assert.deepEqual(warnings.splice(0), ['the number of distinct has no effect'])
    assert.equal((await ask({ distinct: false })).nbHits, LAMPS.length)
  })

  test('`specs.*` among the search fields, also beside a field of another store', async () => {
    for (const others of [[], ['name']]) {
      const fields = ['specs.*', ...others]
      const found = await ask({
        query: 'bayonet',
        restrictSearchableAttributes: fields,
        attributesToSnippet: ['specs.*:5'],
      })
      assert.deepEqual(
        found.hits.map(({ objectID }) => objectID),
        ['lamp-7'],
      )
      assert.match(JSON.stringify(found.hits[0]!._snippetResult), /<em>bayonet<\/em>/)
      const none = await ask({ query: 'lamp', restrictSearchableAttributes: fields })
      assert.equal(none.nbHits, 0)
    }
  })

  test('an error names the parameter of InstantSearch', async () => {
    const errors: readonly [params: object, message: RegExp][] = [
      [{ filters: 'price:abc AND brand:Glow' }, /^filters: field `price` is float/],
      [{ facetFilters: ['brand:Glow', 'price:abc'] }, /^facetFilters "price:abc": field `price`/],
      [{ facetFilters: ['url:x'] }, /^facetFilters "url:x": field `url` cannot be filtered/],
      [{ facetFilters: ['room:A'], numericFilters: ['brand>3'] }, /^numericFilters "brand>3": /],
      [{ facets: ['about'] }, /^facets: field `about` is not declared with `facet`/],
      [{ restrictSearchableAttributes: ['price'] }, /^restrictSearchableAttributes: Field `price`/],
      [{ hitsPerPage: 1_000 }, /^hitsPerPage: must be an integer from 0 to 250/],
    ]
    for (const [params, message] of errors) {
      await assert.rejects(ask(params), { name: 'RefusedError', message, status: 400 })
    }
  })
})
