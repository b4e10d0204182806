import type { HistoryState } from '@aisle/suggestions'

/** A history, and how far of the log it was made of. */
export interface SavedHistory {
  readonly language: string
  /** Byte position in the log. */
  readonly watermark: number
  /**
   * When a visitor was last erased from the log, as of then: what was made before an erasure must
   * go.
   */
  readonly erasedMs: number
  readonly state: HistoryState
}

/**
 * Where a store's history is kept: a checkpoint, so that a start need not read the whole log.
 * Whatever is wrong with it, it can be rebuilt from the log.
 */
export interface HistoryFile {
  /** @returns undefined when there is none, or it is damaged or of another version */
  read(): SavedHistory | undefined
  write(saved: SavedHistory): void
  remove(): void
}

/** The files of all stores. */
export interface HistoryFiles {
  /** @param log name of the event log that the history is made of */
  of(log: string): HistoryFile
  /** Removes everything but the files of these logs. */
  keepOnly(logs: ReadonlySet<string>): void
}
