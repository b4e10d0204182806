import type { KnownSettings } from './fate.ts'

const EMBEDDERS =
  'is not migrated, only its vectors are (`_vectors.NAME`): later documents and queries need an embedder of the installation, see docs/semantic.md'

/** https://www.meilisearch.com/docs/reference/api/settings */
export const MEILISEARCH_SETTINGS: KnownSettings = {
  displayedAttributes: 'carried',
  searchableAttributes: 'carried',
  filterableAttributes: 'carried',
  sortableAttributes: 'carried',
  rankingRules: 'carried',
  stopWords: 'carried',
  nonSeparatorTokens: 'carried',
  separatorTokens: 'carried',
  synonyms: 'carried',
  distinctAttribute: 'carried',
  typoTolerance: 'carried',
  faceting: 'carried',
  pagination: 'carried',
  prefixSearch: 'carried',
  searchCutoffMs: 'carried',
  dictionary: { note: 'has no equivalent: texts are tokenized by the rules of docs/ranking.md' },
  proximityPrecision: {
    note: 'has no equivalent: the distance between words is always exact',
    usual: ['byWord'],
  },
  embedders: { note: EMBEDDERS },
  vectorStore: 'fact',
  chat: { note: 'has no equivalent: docs/mcp.md opens the catalog to assistants' },
  localizedAttributes: {
    note: 'has no equivalent: set `language` of the store, or of a field in schema.yaml',
  },
  facetSearch: { note: 'has no equivalent: `facet_query` is always on', usual: [true] },
  foreignKeys: { note: 'has no equivalent: put related data into the documents' },
}

export const MEILISEARCH_TYPOS: KnownSettings = {
  enabled: 'carried',
  minWordSizeForTypos: 'carried',
  disableOnWords: { note: 'has no equivalent: typos are set for all words' },
  disableOnAttributes: { note: 'has no equivalent: typos are set for all fields' },
  disableOnNumbers: 'carried',
}

export const MEILISEARCH_FACETING: KnownSettings = {
  maxValuesPerFacet: 'carried',
  sortFacetValuesBy: {
    note: 'is part of a request: `facet_by=brand(sort:alpha)`; the default here is by count',
    usual: [{ '*': 'alpha' }],
  },
}

export const MEILISEARCH_PAGINATION: KnownSettings = {
  maxTotalHits: {
    note: 'has no equivalent: `found` is exact, and every page is available',
    usual: [1000],
  },
}

/** `GET /indexes/x` */
export const MEILISEARCH_INDEX: KnownSettings = {
  uid: 'fact',
  primaryKey: 'carried',
  createdAt: 'fact',
  updatedAt: 'fact',
}
