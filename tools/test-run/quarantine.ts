export interface Quarantined {
  readonly file: string
  /** The day it was put here: `2026-11-24`. */
  readonly since: string
  /** What fails, when, and what is known of the cause, in a sentence. */
  readonly issue: string
}

export const QUARANTINE_MAX = 5

/**
 * Test files that fail now and then for reasons that are not yet understood. They still run; their
 * failures are counted and listed apart and fail nothing, so each one is a promise not kept for the
 * time being: `npm run ci` lists them first. At most `QUARANTINE_MAX`, the oldest first.
 */
export const QUARANTINE: readonly Quarantined[] = []
