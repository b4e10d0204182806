import type { Awaitable } from '../awaitable.ts'

/**
 * A stored document: the JSON bytes of its `data`, exactly as they were sent (or merged by
 * `update`).
 */
export interface StoredDocument {
  readonly docKey: number
  /** The docKey of the first version since it was inserted; absent: this is it. */
  readonly inserted?: number
  readonly id: string
  /** UTF-8 JSON of one object. Valid until the next document is read; copy to keep. */
  readonly json: Uint8Array
}

/** Reads documents by docKey; undefined if there is no such version, or it was purged. */
export type FetchedDocuments = (docKey: number) => StoredDocument | undefined

/**
 * Reads the documents of a store. A single process maps their file and answers synchronously; a
 * node of a cluster sends a request. Callers await either.
 *
 * Each call throws ApiError `unavailable` while the documents cannot be read.
 */
export interface DocumentReader {
  /** Returns a document by its external id. */
  get(storeId: string, id: string): Awaitable<StoredDocument | undefined>
  /**
   * Opens documents by docKey for a page of hits of a search. A version that a later write replaced
   * stays readable for a few seconds, so that hits can be shown.
   *
   * @param content `content` of the view that returned the keys; absent: what the store has now
   * @returns a function that reads any of these documents, and no other
   */
  fetch(storeId: string, docKeys: readonly number[], content?: string): Awaitable<FetchedDocuments>
  /**
   * Begins a walk through a snapshot of the documents; later writes do not affect it.
   *
   * @param docKeys only these, ascending, from a search just now
   * @param after only documents of greater docKeys, to continue an earlier walk
   * @returns `undefined` if the store does not exist; the caller must always close it
   */
  scan(storeId: string, docKeys?: Float64Array, after?: number): Awaitable<DocumentScan | undefined>
  /**
   * Begins such a walk in the order in which the documents were inserted: a store that gets them in
   * this order has the same order of equals.
   *
   * @param after the document that an earlier walk ended with, to continue it
   */
  scanInserted(storeId: string, after?: WalkPlace): Awaitable<DocumentScan | undefined>
}

/** A document that a walk has come to. */
export type WalkPlace = Pick<StoredDocument, 'docKey' | 'inserted'>

/**
 * A snapshot of a store. While it is open, the disk cannot reuse the space of anything that existed
 * then.
 */
export interface DocumentScan {
  /** Number of documents, including damaged ones. */
  readonly docCount: number
  /**
   * Returns the next documents, about `bytesMax` bytes, in the order of the walk; none at the end.
   * Skips damaged ones. One call at a time.
   */
  next(bytesMax: number): Awaitable<readonly StoredDocument[]>
  close(): void
}
