import type { HistoryState } from '@aisle/suggestions'

/** A history, and the position in the log up to which it was built. */
export interface SavedHistory {
  readonly language: string
  /** Byte position in the log. */
  readonly watermark: number
  /**
   * Time of the last erasure of a visitor from the log: a history built before an erasure must be
   * rebuilt.
   */
  readonly erasedMs: number
  readonly state: HistoryState
}

/**
 * Stores the history of a store as a checkpoint, so that a start need not read the whole log. A
 * missing or damaged history is rebuilt from the log.
 */
export interface HistoryFile {
  /** @returns undefined if it is missing, damaged or of another version */
  read(): SavedHistory | undefined
  write(saved: SavedHistory): void
  remove(): void
}

/** The files of all stores. */
export interface HistoryFiles {
  /** @param log name of the event log that the history is built from */
  of(log: string): HistoryFile
  /** Removes everything but the files of these logs. */
  keepOnly(logs: ReadonlySet<string>): void
}
