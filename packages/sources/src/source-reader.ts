import type { SourceRow } from '@aisle/import'
import type { SourceNetworks } from './networks.ts'

/** Milliseconds after which a reader that follows says that its source answers. */
export const ALIVE_MS = 10_000

/**
 * Reads one configured source. A reader writes nothing and knows nothing of a service: who drives
 * it converts the rows into documents, compares and writes them.
 */
export interface SourceReader {
  /**
   * All documents of the source, in batches. The next batch is read when it is asked for, so a slow
   * consumer slows the source down.
   *
   * @param position what the end of the last complete reading returned, if there was one
   * @throws SourceError; the reason of the signal
   */
  readAll(signal: AbortSignal, position?: string): AsyncIterable<SourceBatch>
  /**
   * Changes after a position, for as long as the signal allows. A kind without this is read from
   * the beginning each time. While the source answers and nothing changes, there is a batch without
   * changes after each answer, or every `ALIVE_MS`.
   *
   * @throws SourceError; `position_lost`: read everything again
   */
  follow?(position: string, signal: AbortSignal): AsyncIterable<SourceChanges>
  /**
   * The first documents only, for a preview. For kinds that take long before the first row of
   * `readAll`.
   *
   * @throws SourceError; the reason of the signal
   */
  readFirst?(count: number, signal: AbortSignal): AsyncIterable<SourceBatch>
  /**
   * These documents as they are now, in this order. One that the source does not have, or no longer
   * shows, is a `delete`.
   *
   * @throws SourceError; the reason of the signal
   */
  readSome?(ids: readonly string[], signal: AbortSignal): Promise<readonly SourceChange[]>
  /** All changes up to this position are durable in the store: the source may forget them. */
  acknowledge?(position: string): Promise<void>
  /** Releases connections. What the source keeps for this reader stays, for the next one. */
  close(): Promise<void>
  /** Removes what the source keeps for this reader, such as a replication slot. */
  drop?(): Promise<void>
}

/** Rows of a source, in its order, or its end. */
export type SourceBatch =
  | {
      readonly kind: 'rows'
      /** A `ragged` row is a problem of the source: it is refused alone, with its `error`. */
      readonly rows: readonly SourceRow[]
      /** Bytes received since the last batch, as far as they are known. */
      readonly bytes?: number
    }
  /** The source says that it is as it was at the position: no rows follow. */
  | { readonly kind: 'unchanged'; readonly position: string }
  /** Everything was read. Without this batch a reading is not complete, and removes nothing. */
  | {
      readonly kind: 'end'
      /** Opaque to the driver: an ETag, a log position. */
      readonly position: string | undefined
    }

export interface SourceChanges {
  /** In the order of the source; the last change of a document counts. */
  readonly changes: readonly SourceChange[]
  /** Where to continue after these changes. */
  readonly position: string
}

export type SourceChange =
  | { readonly kind: 'put'; readonly row: SourceRow }
  | { readonly kind: 'delete'; readonly id: string }

/** What every reader is opened with, beside its connection. */
export interface ReaderOptions {
  /** Values that are never shown, by name, such as `password`. */
  readonly secrets: Readonly<Record<string, string>>
  /** Column with the ids of documents. */
  readonly idColumn: string
  /** Unique to this source, also among services: what a database keeps for it is named after it. */
  readonly owner: string
  /** For a preview or a dry run: leaves nothing in the source, and cannot be followed. */
  readonly isTrial?: boolean
  /** The addresses that may be connected to. */
  readonly networks: SourceNetworks
}
