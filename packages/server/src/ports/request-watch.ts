/**
 * Knows which request a thread is at work on, so that one which ends its thread again and again is found, and refused
 * before it ends the next. Requests go by a fingerprint of 32 bits; 0 is none.
 */
export interface RequestWatch {
  /** From now on, until it is called again. */
  workOn(fingerprint: number): void
  /** @returns for how many seconds this request is not to be done; 0: it may be done */
  quarantineSeconds(fingerprint: number): number
}
