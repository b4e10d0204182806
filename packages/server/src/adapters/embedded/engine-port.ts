import type { IndexDocument, Schema, Searcher } from '@aisle/engine'

/**
 * What the embedded adapter asks of the engine, in the adapter's words, so that writer, threads and
 * recovery can be tested without it.
 */
export interface IndexHost {
  /**
   * Opens an index from its files, or empty when there are none or they are of another language.
   *
   * @param index its number
   * @param language which analyzer it is made with
   */
  open(
    index: number,
    schema: Schema,
    language: string,
    listener: IndexListener,
  ): Promise<StoreIndex>
  /** Deletes the files of an index. */
  remove(index: number): Promise<void>
  /** Indexes that have files. */
  numbers(): number[]
  /** Bytes that the files of an index take. */
  fileBytes(index: number): number
}

/** What an index says about its background work. */
export interface IndexListener {
  /** It has changed without a write: publish it again. */
  readonly onChange: () => void
  /** It holds more data of dead documents than of live ones: rebuild it. */
  readonly onWorn: () => void
}

/** An index of the documents of one catalog, writing side. Main thread only. */
export interface StoreIndex {
  /** Ranges of docKeys, both ends included, ascending, whose documents the opened files hold. */
  readonly covered: readonly { readonly from: number; readonly to: number }[]
  /** Live documents. */
  readonly docCount: number
  /** Makes a batch part of the next snapshot. */
  apply(batch: IndexBatch): void
  /** Additive changes only. */
  setSchema(schema: Schema): void
  snapshot(): IndexSnapshotHandle
  statistics(): {
    readonly indexBytes: number
    readonly segmentCount: number
    /** Of its files. */
    readonly fileBytes: number
  }
  /** Whether a file still holds this version as live: then its row and its tombstone must stay. */
  holds(docKey: number): boolean
  /** The files hold all of it, and nothing is under way: to close it writes nothing. */
  readonly isAtRest: boolean
  /** Resolves when no more work is under way for it. */
  close(): Promise<void>
}

export interface IndexBatch {
  readonly added: readonly IndexDocument[]
  /** Versions that are no longer live, with the values they were indexed with. */
  readonly removed: readonly IndexDocument[]
}

/** Opaque here; can be posted to a thread. */
export type IndexSnapshotHandle = object

/** The searching side, on a serving thread. */
export interface IndexSearcher {
  update(snapshot: IndexSnapshotHandle): void
  /** The index was closed: searches that have begun may end. */
  release(): void
  /** What searches the newest snapshot. */
  current(): SnapshotSearcher
}

/** What a search asks of the engine. */
export type SnapshotSearcher = Pick<Searcher, 'search' | 'complete' | 'holds' | 'matchingKeys'>
