import type { Awaitable } from '../awaitable.ts'

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

/** Documents by their keys; undefined: there is no such version, or it is purged. */
export type FetchedDocuments = (docKey: number) => StoredDocument | undefined

/**
 * Reads the documents of a store. One process maps their file and has the answer at once; a node of
 * a cluster asks for it. Callers await either.
 *
 * Each call throws ApiError `unavailable` while the documents cannot be read.
 */
export interface DocumentReader {
  /** By external id. */
  get(storeId: string, id: string): Awaitable<StoredDocument | undefined>
  /**
   * By document keys, as a search names them: one step for a page of hits. A version that a later
   * write replaced stays readable for a few seconds, so that what was found can be shown.
   *
   * @param content of the view that named the keys; absent: what the store has now
   * @returns reads one of these documents, and no other
   */
  fetch(storeId: string, docKeys: readonly number[], content?: string): Awaitable<FetchedDocuments>
  /**
   * Begins a walk through the documents as they are at this moment, whatever is written meanwhile.
   *
   * @param docKeys only these, ascending: found by a search just now
   * @param after only documents of greater docKeys: goes on where an earlier walk has come to
   * @returns `undefined` when the store does not exist; else to be closed, whatever happens
   */
  scan(storeId: string, docKeys?: Float64Array, after?: number): Awaitable<DocumentScan | undefined>
}

/** A store as of one moment. While it is open, the disk keeps everything that existed then. */
export interface DocumentScan {
  /** Documents that it holds, damaged ones included. */
  readonly docCount: number
  /**
   * The next documents, about `bytesMax` bytes of them in the order of their docKeys; none at the
   * end. Damaged ones are left out. One call at a time.
   */
  next(bytesMax: number): Awaitable<readonly StoredDocument[]>
  close(): void
}
