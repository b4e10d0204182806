import type { CodeSample } from '../../ui/code-block.tsx'
import { searchSamples } from '../../parts/search-samples.ts'

/** What is filled into the code. */
export interface SampleKeys {
  readonly url: string
  readonly storeId: string
  readonly read: string
  readonly write: string
  readonly events: string
}

const FIELDS = [
  { name: 'title', type: 'string', searchable: true },
  { name: 'brand', type: 'string', searchable: true, facet: true },
  { name: 'price', type: 'float', facet: true, sort: true },
]
const PRODUCT = { id: 'tent-1', data: { title: 'Two-person tent', brand: 'North', price: 129 } }

export function schemaSamples(keys: SampleKeys): CodeSample[] {
  return writeSamples(keys, '/schema', { fields: FIELDS })
}

export function importSamples(keys: SampleKeys): CodeSample[] {
  return [
    ...writeSamples(keys, '/documents', PRODUCT),
    {
      label: 'Command line',
      code: `AISLE_URL=${keys.url} AISLE_STORE=${keys.storeId} AISLE_WRITE_SECRET=${keys.write} \\
  npx aisle-search import products.csv`,
    },
  ]
}

export function searchSamplesOf({ url, storeId, read }: SampleKeys): CodeSample[] {
  const request = { q: 'tent', per_page: 10 }
  return [
    ...searchSamples(request, { url, storeId, readSecret: read }),
    { label: 'InstantSearch', code: instantSearch({ url, storeId, read }) },
  ]
}

/** A search client for InstantSearch in a few lines: a box, hits and pages. */
function instantSearch({ url, storeId, read }: Omit<SampleKeys, 'write' | 'events'>): string {
  return `const searchClient = {
  async search(requests) {
    const results = await Promise.all(requests.map(async ({ indexName, params = {} }) => {
      const { query = '', page = 0, hitsPerPage = 20 } = params
      const answer = await fetch('${url}/v1/search', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-storeid': '${storeId}',
          'x-storesecret': '${read}',
        },
        body: JSON.stringify({ q: query || '*', page: page + 1, per_page: hitsPerPage }),
      })
      const { found, hits } = await answer.json()
      return {
        index: indexName, query, params: '', page, hitsPerPage,
        nbHits: found, nbPages: Math.ceil(found / hitsPerPage), processingTimeMS: 1,
        hits: hits.map(({ id, document, highlight = {} }) => ({
          ...document,
          objectID: id,
          _highlightResult: Object.fromEntries(
            Object.entries({ ...document, ...highlight })
              .map(([name, value]) => [name, { value: String(value), matchLevel: 'none', matchedWords: [] }]),
          ),
        })),
      }
    }))
    return { results }
  },
}

instantsearch({ indexName: '${storeId}', searchClient })`
}

export function eventSamples({ url, events }: SampleKeys): CodeSample[] {
  const ingest = url.replace(/^https?:\/\//, '')
  const protocol = url.startsWith('https') ? 'https' : 'http'
  return [
    {
      label: 'Segment',
      code: `import { AnalyticsBrowser } from '@segment/analytics-next'

const writeKey = '${events}'
const analytics = AnalyticsBrowser.load(
  {
    writeKey,
    cdnSettings: {
      integrations: { 'Segment.io': { apiKey: writeKey } },
      metrics: { sampleRate: 0 },
    },
  },
  {
    integrations: {
      'Segment.io': {
        apiHost: '${ingest}/v1',
        protocol: '${protocol}',
        deliveryStrategy: { strategy: 'batching', config: { size: 10, timeout: 2000 } },
      },
    },
  },
)
analytics.track('Object Clicked', { object_id: 'tent-1', query: 'tent', position: 1 })`,
    },
    {
      label: 'curl',
      code: `curl ${url}/v1/b \\
  -H 'content-type: application/json' \\
  -d '{"writeKey":"${events}","batch":[{"type":"track","event":"Object Clicked","messageId":"first-1","anonymousId":"visitor-1","properties":{"object_id":"tent-1","query":"tent","position":1}}]}'`,
    },
  ]
}

function writeSamples(
  { url, storeId, write }: SampleKeys,
  path: string,
  body: object,
): CodeSample[] {
  const address = `${url}/api/v1/stores/${storeId}${path}`
  return [
    {
      label: 'curl',
      code: `curl ${address} \\
  -H 'x-storeid: ${storeId}' \\
  -H 'x-store-write-secret: ${write}' \\
  -H 'content-type: application/json' \\
  -d '${JSON.stringify(body)}'`,
    },
    {
      label: 'JavaScript',
      code: `await fetch('${address}', {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    'x-storeid': '${storeId}',
    'x-store-write-secret': '${write}',
  },
  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')}),
})`,
    },
  ]
}
