/** A stored document: the JSON bytes of its `data`, exactly as they were sent (or merged by `update`). */
export interface StoredDocument {
  readonly docKey: number
  readonly id: string
  /** UTF-8 JSON of one object. Valid until the end of the current turn; copy to keep. */
  readonly json: Uint8Array
}

/** Reads the documents of a store. Synchronous: reads are memory-mapped. */
export interface DocumentReader {
  /** By external id. */
  get(storeId: string, id: string): StoredDocument | undefined
  /**
   * By document key, as a search names them. A version that a later write replaced stays readable for a
   * few seconds, so that a hit found in this turn can be fetched in this turn.
   */
  fetch(storeId: string, docKey: number): StoredDocument | undefined
}
