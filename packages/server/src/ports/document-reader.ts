/**
 * A stored document: the JSON bytes of its `data`, exactly as they were sent (or merged by
 * `update`).
 */
export interface StoredDocument {
  readonly docKey: number
  readonly id: string
  /** UTF-8 JSON of one object. Valid until the next document is read; copy to keep. */
  readonly json: Uint8Array
}

/** Reads the documents of a store. Synchronous: reads are memory-mapped. */
export interface DocumentReader {
  /** By external id. */
  get(storeId: string, id: string): StoredDocument | undefined
  /**
   * By document key, as a search names them. A version that a later write replaced stays readable
   * for a few seconds, so that a hit found in this turn can be fetched in this turn.
   */
  fetch(storeId: string, docKey: number): StoredDocument | undefined
  /**
   * Begins a walk through the documents as they are at this moment, whatever is written meanwhile.
   *
   * @param docKeys only these, ascending: found by a search of this very turn
   * @param after only documents of greater docKeys: goes on where an earlier walk has come to
   * @returns `undefined` when the store does not exist; else to be closed, whatever happens
   */
  scan(storeId: string, docKeys?: Float64Array, after?: number): DocumentScan | undefined
}

/** A store as of one moment. While it is open, the disk keeps everything that existed then. */
export interface DocumentScan {
  /** Documents that it holds, damaged ones included. */
  readonly docCount: number
  /**
   * The next documents, about `bytesMax` bytes of them in the order of their docKeys; none at the
   * end. Damaged ones are left out.
   */
  next(bytesMax: number): readonly StoredDocument[]
  close(): void
}
