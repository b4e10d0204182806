/** Made of one log, in shared memory. */
export interface BuiltSuggestions {
  /** Popular queries. */
  readonly index: SharedArrayBuffer
  /** Recent interests of visitors. */
  readonly profiles: SharedArrayBuffer
  /** Products that go together, and what visitors saw. */
  readonly together: SharedArrayBuffer
}

/**
 * Where what was made of the event logs goes: to all threads that serve it. Shared buffers:
 * handles, not bytes. Logs go by their names.
 */
export interface SuggestionPublisher {
  suggestions(log: string, built: BuiltSuggestions): void
  /**
   * Popularity of its documents.
   * @param content names those documents, see `SearchView.content`
   * @param version larger than any before
   */
  popularity(log: string, index: SharedArrayBuffer, content: string, version: number): void
  /** The store is gone. */
  removed(log: string): void
  /** Threads keep the suggestions that they have; one that comes later waits for new ones. */
  outdated(log: string): void
}
