/** Suggestions built from one log, in shared memory. */
export interface BuiltSuggestions {
  /** Popular queries. */
  readonly index: SharedArrayBuffer
  /** Recent interests of visitors. */
  readonly profiles: SharedArrayBuffer
  /** Products that go together, and what visitors saw. */
  readonly together: SharedArrayBuffer
}

/**
 * Publishes what was built from the event logs to all serving threads, as shared buffers (handles,
 * not bytes). Logs are identified by name.
 */
export interface SuggestionPublisher {
  suggestions(log: string, built: BuiltSuggestions): void
  /**
   * Publishes the popularity of the documents of a store.
   * @param content identifies the documents, see `SearchView.content`
   * @param version larger than any before
   */
  popularity(log: string, index: SharedArrayBuffer, content: string, version: number): void
  /** Removes the suggestions of a deleted store. */
  removed(log: string): void
  /** Starts over: threads keep the suggestions they have; a later thread waits for new ones. */
  outdated(log: string): void
}
