/** Work by texts; '' is none. */
export interface WatchedWork {
  /** The current work: the same text for work of the same cost. */
  readonly request: string
  /** For whom: a client address in a store. */
  readonly origin: string
}

export const NO_WORK: WatchedWork = { request: '', origin: '' }

/**
 * Knows what a thread is at work on, so that work which ends its thread again and again is found,
 * and refused before it ends the next: the same search, or many different ones of one client.
 */
export interface RequestWatch {
  /** From now on, until it is called again. */
  workOn(work: WatchedWork): void
  /** @returns seconds for which this work is refused; 0: it may be done */
  quarantineSeconds(work: WatchedWork): number
}
