/** Work by fingerprints of 64 bits; 0n is none. */
export interface WatchedWork {
  /** The current work. */
  readonly request: bigint
  /** For whom: a client address in a store. */
  readonly origin: bigint
}

export const NO_WORK: WatchedWork = { request: 0n, origin: 0n }

/**
 * Knows what a thread is at work on, so that work which ends its thread again and again is found,
 * and refused before it ends the next: the same search, or many different ones of one client.
 */
export interface RequestWatch {
  /**
   * The fingerprint of a text. Nobody outside can tell it, nor find another text that has the same
   * one: a store cannot have the searches of another refused.
   */
  fingerprint(text: string): bigint
  /** From now on, until it is called again. */
  workOn(work: WatchedWork): void
  /** @returns seconds for which this work is refused; 0: it may be done */
  quarantineSeconds(work: WatchedWork): number
}
