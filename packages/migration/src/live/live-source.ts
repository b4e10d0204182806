import type { Json } from '../json.ts'

/** Where a catalog is, and how to get at it. */
export interface SourceAddress {
  /** Of the service: `http://localhost:8108`. */
  readonly url: string
  /** The collection or index. */
  readonly name: string
  readonly key: string | undefined
  /** Application of Algolia. */
  readonly application?: string | undefined
  readonly fetch?: typeof fetch
  readonly signal?: AbortSignal
}

/** A catalog in a running service of the other engine. */
export interface LiveSource {
  /** Foreign JSON by part. */
  readonly parts: () => Promise<Json>
  /** All documents, as JSON texts. */
  readonly documents: () => AsyncGenerator<string>
}
