/**
 * One small catalog as exported and served by four engines. The wire formats are those of their
 * public documentation; the catalog is ours.
 */
export interface ForeignCatalog {
  readonly engine: 'typesense' | 'meilisearch' | 'algolia' | 'opensearch'
  readonly parts: Readonly<Record<string, unknown>>
  readonly documents: readonly Readonly<Record<string, unknown>>[]
  /** The answers of its service. */
  readonly answer: (request: ForeignRequest) => unknown
  /** Notes required in the report. */
  readonly notes: readonly RegExp[]
  /** Must not be in the report, because it has an equivalent. */
  readonly isQuietOf: RegExp
}

export interface ForeignRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

const PRODUCTS = [
  {
    title: 'Dome tent',
    brand: { name: 'Norrby', country: 'SE' },
    price: 199,
    stock: 9007199254740993n,
    on_sale: true,
    variants: [
      { color: 'red', size: 'S' },
      { color: 'green', size: 'L' },
    ],
  },
  { title: 'Tent pegs', brand: { name: 'Fells' }, price: 9.5, stock: 4n, on_sale: false },
  { title: 'Camping stove', brand: { name: 'Norrby' }, price: 49, stock: 12n, on_sale: false },
]

/** Digits beyond 2^53 survive as text in the JSON of the test. */
export function exactJson(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'bigint' ? `\u0000${one}\u0000` : one,
  ).replaceAll(/"\\u0000(\d+)\\u0000"/g, '$1')
}

const withIds = (member: string, more: object = {}): readonly Readonly<Record<string, unknown>>[] =>
  PRODUCTS.map((product, i) => ({ [member]: `p${i + 1}`, ...product, ...more }))

const TYPESENSE_PARTS = {
  collection: {
    name: 'products',
    default_sorting_field: 'price',
    enable_nested_fields: true,
    token_separators: ['-', '/'],
    symbols_to_index: ['+', '/', 'ab'],
    fields: [
      { name: 'title', type: 'string', facet: false },
      { name: 'brand', type: 'object', facet: true, optional: true },
      { name: 'variants', type: 'object[]', facet: true, optional: true },
      { name: 'price', type: 'float', facet: true },
      { name: 'stock', type: 'int64', facet: false },
      { name: 'on_sale', type: 'bool', facet: true },
      { name: 'place', type: 'geopoint', facet: false, optional: true },
    ],
  },
  synonyms: {
    synonyms: [
      { id: 'tents', synonyms: ['tent', 'bivouac'] },
      { id: 'cookers', root: 'cooker', synonyms: ['stove'] },
    ],
  },
  overrides: {
    overrides: [
      {
        id: 'tent week',
        rule: { query: 'tent', match: 'contains' },
        includes: [{ id: 'p3', position: 1 }],
        excludes: [{ id: 'p2' }],
        metadata: { banner: 'Tent week' },
        stop_processing: true,
      },
      { id: 'by brand', rule: { query: '{brand}', match: 'exact' }, filter_by: 'brand:={brand}' },
    ],
  },
  presets: {
    presets: [
      {
        name: 'shop',
        value: {
          query_by: 'title,brand.name',
          query_by_weights: '3,1',
          filter_by: 'price:>5',
          vector_query: 'x',
        },
      },
    ],
  },
  stopwords: { stopwords: [{ id: 'common', stopwords: ['please'] }] },
}

const MEILISEARCH_PARTS = {
  settings: {
    searchableAttributes: ['title', 'brand.name'],
    displayedAttributes: ['*'],
    filterableAttributes: ['brand', 'price', 'on_sale'],
    sortableAttributes: ['price'],
    rankingRules: ['words', 'typo', 'proximity', 'attribute', 'sort', 'exactness', 'price:asc'],
    synonyms: { bivouac: ['tent'], cooker: ['stove'] },
    stopWords: ['please'],
    distinctAttribute: 'price',
    typoTolerance: { enabled: true, minWordSizeForTypos: { oneTypo: 4, twoTypos: 8 } },
  },
  index: { uid: 'products', primaryKey: 'sku' },
}

const ALGOLIA_PARTS = {
  settings: {
    searchableAttributes: ['title,brand.name', 'unordered(description)'],
    attributesForFaceting: ['searchable(brand.name)', 'filterOnly(on_sale)'],
    customRanking: ['desc(price)'],
    removeWordsIfNoResults: 'lastWords',
    attributesToRetrieve: ['*', '-cost'],
    attributesToSnippet: ['title:12'],
    hitsPerPage: 2,
    paginationLimitedTo: 5000,
    replicas: ['virtual(products_price_asc)'],
    attributeForDistinct: 'title',
    distinct: true,
  },
  synonyms: {
    hits: [
      { objectID: 's1', type: 'synonym', synonyms: ['tent', 'bivouac'] },
      { objectID: 's2', type: 'oneWaySynonym', input: 'cooker', synonyms: ['stove'] },
      { objectID: 's3', type: 'placeholder', placeholder: '<n>', replacements: ['1'] },
    ],
  },
  rules: {
    hits: [
      {
        objectID: 'tent week',
        conditions: [{ pattern: 'tent', anchoring: 'contains' }],
        consequence: {
          promote: [{ objectID: 'p3', position: 0 }],
          hide: [{ objectID: 'p2' }],
          params: { filters: 'price > 5 AND NOT brand.name:"No one"' },
          userData: { banner: 'Tent week' },
        },
        validity: [{ from: 1_700_000_000, until: 4_000_000_000 }],
      },
      {
        objectID: 'facet',
        conditions: [{ pattern: '{facet:brand.name}', anchoring: 'is' }],
        consequence: { params: { automaticFacetFilters: ['brand.name'] } },
      },
    ],
  },
}

const OPENSEARCH_PARTS = {
  index: {
    products: {
      mappings: {
        properties: {
          title: { type: 'text', fields: { raw: { type: 'keyword' } } },
          brand: { properties: { name: { type: 'keyword' }, country: { type: 'keyword' } } },
          variants: {
            type: 'nested',
            properties: { color: { type: 'keyword' }, size: { type: 'keyword' } },
          },
          price: { type: 'double' },
          stock: { type: 'long' },
          on_sale: { type: 'boolean' },
          added: { type: 'date' },
          place: { type: 'geo_point' },
        },
      },
      settings: {
        index: {
          analysis: {
            filter: {
              mine: { type: 'synonym_graph', synonyms: ['tent, bivouac', 'cooker => stove'] },
              polite: { type: 'stop', stopwords: ['please'] },
            },
          },
        },
      },
    },
  },
}

const ndjson = (documents: readonly unknown[]): string => documents.map(exactJson).join('\n')

/** The part of a path after the name of the index. */
const lastOf = (path: string): string => path.split('?')[0]!.split('/').at(-1)!

const TYPESENSE_DOCUMENTS = withIds('id', { place: [48.85, 2.35] })
const ALGOLIA_DOCUMENTS = withIds('objectID', {
  _geoloc: { lat: 48.85, lng: 2.35 },
  cost: 4711,
})
const MEILISEARCH_DOCUMENTS = withIds('sku', { _geo: { lat: '48.85', lng: '2.35' } })
const OPENSEARCH_DOCUMENTS = PRODUCTS.map((product, i) => ({
  _id: `p${i + 1}`,
  _source: { ...product, added: '2024-03-01T00:00:00Z', place: 'POINT (2.35 48.85)' },
}))

export const FOREIGN_CATALOGS: readonly ForeignCatalog[] = [
  {
    engine: 'typesense',
    parts: TYPESENSE_PARTS,
    documents: TYPESENSE_DOCUMENTS,
    answer: ({ path, headers }) => {
      if (headers['x-typesense-api-key'] !== 'source-key') return undefined
      if (lastOf(path) === 'export') return { text: ndjson(TYPESENSE_DOCUMENTS) }
      if (lastOf(path) === 'products') return TYPESENSE_PARTS.collection
      return TYPESENSE_PARTS[lastOf(path) as 'synonyms']
    },
    notes: [
      /override tent week: `stop_processing` has no equivalent/,
      /override by brand: is left out/,
      /preset shop: `vector_query` has no equivalent/,
      /symbol "ab": is left out: it is not one sign/,
      /symbol "\/": is left out: it is part of words already/,
    ],
    isQuietOf: /field (variants|brand)/,
  },
  {
    engine: 'meilisearch',
    parts: MEILISEARCH_PARTS,
    documents: MEILISEARCH_DOCUMENTS,
    answer: ({ path, headers }) => {
      if (headers['authorization'] !== 'Bearer source-key') return undefined
      if (lastOf(path) === 'documents') {
        const offset = Number(new URLSearchParams(path.split('?')[1]).get('offset'))
        return { results: offset === 0 ? MEILISEARCH_DOCUMENTS : [], total: 3 }
      }
      return lastOf(path) === 'settings' ? MEILISEARCH_PARTS.settings : MEILISEARCH_PARTS.index
    },
    notes: [/distinctAttribute: is left out: .* cannot be grouped/],
    isQuietOf: /field (variants|brand)/,
  },
  {
    engine: 'algolia',
    parts: ALGOLIA_PARTS,
    documents: ALGOLIA_DOCUMENTS,
    answer: ({ path, headers, body }) => {
      if (headers['x-algolia-api-key'] !== 'source-key') return undefined
      if (path.endsWith('/browse')) {
        const cursor = (JSON.parse(body) as { cursor?: string }).cursor
        return cursor === undefined
          ? { hits: ALGOLIA_DOCUMENTS.slice(0, 2), cursor: 'more' }
          : { hits: ALGOLIA_DOCUMENTS.slice(2) }
      }
      if (path.endsWith('/settings')) return ALGOLIA_PARTS.settings
      return path.includes('/synonyms/') ? ALGOLIA_PARTS.synonyms : ALGOLIA_PARTS.rules
    },
    notes: [
      /replica products_price_asc: needs no copy/,
      /synonym s3: is left out/,
      /rule facet: the condition .* is left out/,
      /attributesToRetrieve: hides cost: the setting `omit_fields` hides the values from everyone/,
      /paginationLimitedTo: has no equivalent/,
      /removeWordsIfNoResults: `lastWords` is the default here/,
      /preset defaults: .*per_page, include_snippets/,
      /field description: is left out: none of the first records has it/,
    ],
    isQuietOf: /field (variants|brand)|attributeForDistinct/,
  },
  {
    engine: 'opensearch',
    parts: OPENSEARCH_PARTS,
    documents: OPENSEARCH_DOCUMENTS,
    answer: ({ path, headers, method }) => {
      if (headers['authorization'] !== 'ApiKey source-key') return undefined
      if (method === 'DELETE') return {}
      if (path.includes('_search/scroll')) return { hits: { hits: [] } }
      if (path.includes('_search')) {
        return { _scroll_id: 's', hits: { hits: OPENSEARCH_DOCUMENTS } }
      }
      return OPENSEARCH_PARTS.index
    },
    notes: [/keywords: are not searched as text: .*brand\.name, brand\.country, variants\.color/],
    isQuietOf: /field (added|variants|brand)/,
  },
]
