/**
 * The parts of the wire format of Algolia's search API that InstantSearch and Autocomplete use
 * here.
 */

/**
 * Parameters of one query, by Algolia's names; numbers, booleans and lists have their JSON types.
 */
export type AlgoliaParameters = Readonly<Record<string, unknown>>

/** One query of `search`. */
export interface AlgoliaRequest {
  readonly indexName: string
  readonly params?: AlgoliaParameters
  /** Autocomplete sends the query here. */
  readonly query?: string
  /** Searches values of `facet` instead of hits. */
  readonly type?: string
  readonly facet?: string
}

/** Text with marks. */
export interface Highlighted {
  readonly value: string
  readonly matchLevel: 'none' | 'full'
  readonly matchedWords: readonly string[]
}

/** Highlights by field; lists and objects of a document have one per element. */
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
  /** Starts at 0. */
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
