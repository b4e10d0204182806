/** Work, identified by texts; '' is none. */
export interface WatchedWork {
  /** The current work: the same text for work of the same cost. */
  readonly request: string
  /** The sender: a client address in a store. */
  readonly origin: string
}

export const NO_WORK: WatchedWork = { request: '', origin: '' }

/**
 * Tracks the current work of a thread, so that work which repeatedly crashes its thread is
 * detected, and rejected before it crashes the next one: the same search, or many different
 * searches of one client.
 */
export interface RequestWatch {
  /** Sets the current work until the next call. */
  workOn(work: WatchedWork): void
  /** @returns seconds for which this work is rejected; 0 if it is allowed */
  quarantineSeconds(work: WatchedWork): number
}
