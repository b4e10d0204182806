/**
 * What InstantSearch and Autocomplete send and read, as far as it matters here: the wire format of
 * Algolia's search API.
 */

/** Parameters of one query. Numbers, booleans and lists come as such; names are Algolia's. */
export type AlgoliaParameters = Readonly<Record<string, unknown>>

/** One query of `search`. */
export interface AlgoliaRequest {
  readonly indexName: string
  readonly params?: AlgoliaParameters
  /** Autocomplete puts the query here. */
  readonly query?: string
  /** Looks for values of `facet` instead of hits. */
  readonly type?: string
  readonly facet?: string
}

/** Text with marks. */
export interface Highlighted {
  readonly value: string
  readonly matchLevel: 'none' | 'full'
  readonly matchedWords: readonly string[]
}

/** Per field; lists and objects of a document have them element by element. */
export interface HighlightTree {
  readonly [field: string]: Highlighted | readonly unknown[] | HighlightTree
}

export interface AlgoliaHit {
  readonly objectID: string
  readonly _highlightResult?: HighlightTree
  readonly _snippetResult?: HighlightTree
  readonly [field: string]: unknown
}

/** The result of one query. */
export interface AlgoliaResult {
  readonly index: string
  readonly hits: readonly AlgoliaHit[]
  readonly nbHits: number
  /** From 0. */
  readonly page: number
  readonly nbPages: number
  readonly hitsPerPage: number
  readonly queryID: string
  readonly [name: string]: unknown
}

export interface FacetValuesResult {
  readonly facetHits: readonly { value: string; highlighted: string; count: number }[]
  readonly exhaustiveFacetsCount: boolean
  readonly processingTimeMS: number
}
