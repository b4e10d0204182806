import type { Analyzer, Schema } from '@aisle/engine'
import type { Turns } from '@aisle/server/ports'
import type { KeptCandidates } from './candidate-cache.ts'
import type { StoreFacts } from './fact-cache.ts'
import type { GroupSizes } from './group-search.ts'
import type { SearchPlace } from './search-place.ts'

/** The known state of a searched store. */
export interface SearchedStore {
  readonly place: SearchPlace
  readonly schema: Schema
  readonly analyzer: Analyzer
  /** Whether its documents have `evidence`: those of older versions lack it. */
  readonly hasEvidence: boolean
  /** Of the request: ranking rests between its stages. */
  readonly turns: Turns
  /** Facts about its words, cached across searches. */
  readonly facts: StoreFacts
  /** Its documents, cached likewise. */
  readonly candidates: KeptCandidates
  /** Receives the document of each hit, so that it need not be fetched again. */
  readonly onProduct: (docKey: number, id: string, json: Uint8Array) => void
  /** Whether it already has a document. */
  readonly hasProduct: (docKey: number) => boolean
  readonly groupSizes?: GroupSizes
}
