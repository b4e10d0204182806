import type { IndexDocument, Schema, Searcher } from '@aisle/engine'

/**
 * The port to the engine, in the adapter's words, so that writer, threads and recovery can be
 * tested without it.
 */
export interface IndexHost {
  /**
   * Opens an index from its files; empty if there are none or they are for another language.
   *
   * @param index number of the index
   * @param language selects the analyzer
   */
  open(
    index: number,
    schema: Schema,
    language: string,
    listener: IndexListener,
  ): Promise<StoreIndex>
  /** Deletes the files of an index. */
  remove(index: number): Promise<void>
  /** Numbers of the indexes that have files. */
  numbers(): number[]
  /** Size of the files of an index, in bytes. */
  fileBytes(index: number): number
}

/** Notifications of an index about its background work. */
export interface IndexListener {
  /** The index has changed without a write: publish it again. */
  readonly onChange: () => void
  /** The index holds more data of dead documents than of live ones: rebuild it. */
  readonly onWorn: () => void
}

/** The writing side of the index of one catalog. Main thread only. */
export interface StoreIndex {
  /** Ranges of docKeys, both ends included, ascending, whose documents the opened files hold. */
  readonly covered: readonly { readonly from: number; readonly to: number }[]
  /** Live documents. */
  readonly docCount: number
  /** Live documents that have a vector of a space. */
  vectorCount(space: number): number
  /** Adds a batch to the next snapshot. */
  apply(batch: IndexBatch): void
  /**
   * The same, step by step: snapshots have nothing of the batch until the last step. Until then no
   * other batch may be added, and the schema may not be changed.
   */
  applySteps(batch: IndexBatch): Generator<void, void>
  /** Additive changes only. */
  setSchema(schema: Schema): void
  snapshot(): IndexSnapshotHandle
  statistics(): {
    readonly indexBytes: number
    readonly segmentCount: number
    /** Bytes of its files. */
    readonly fileBytes: number
  }
  /**
   * Whether a file still holds this version as live; if so, its row and its tombstone must stay.
   */
  holds(docKey: number): boolean
  /**
   * Whether the files hold the whole index and no work is in progress, so that closing writes
   * nothing.
   */
  readonly isAtRest: boolean
  /** Resolves when no more work is in progress for the index. */
  close(): Promise<void>
}

export interface IndexBatch {
  readonly added: readonly IndexDocument[]
  /** Versions that are no longer live, with the values they were indexed with. */
  readonly removed: readonly IndexDocument[]
}

/** Opaque here; may be posted to a thread. */
export type IndexSnapshotHandle = object

/** The searching side of an index, on a serving thread. */
export interface IndexSearcher {
  update(snapshot: IndexSnapshotHandle): void
  /** Called when the index was closed: running searches may end. */
  release(): void
  /** Returns a searcher of the newest snapshot, which stays with it. */
  current(): SnapshotSearcher
}

/** The methods of the engine that a search uses. */
export type SnapshotSearcher = Pick<
  Searcher,
  'steps' | 'completionSteps' | 'holds' | 'matchingKeySteps'
>
