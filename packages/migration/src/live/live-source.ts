import type { Json } from '../json.ts'

/** The address of a catalog and its credentials. */
export interface SourceAddress {
  /** URL of the service: `http://localhost:8108`. */
  readonly url: string
  /** The collection or index. */
  readonly name: string
  readonly key: string | undefined
  /** Application id of Algolia. */
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
