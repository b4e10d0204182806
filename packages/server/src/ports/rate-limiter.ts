/** How many requests a client may make: so many per second, and twice that at once. */
export interface RateLimiter {
  /** Requests at once. */
  readonly burst: number
  /** Seconds in which a bucket that is empty fills up. */
  readonly windowSeconds: number
  /**
   * Takes one token from a bucket.
   *
   * @returns tokens left, or -1 when there was none
   */
  take(key: string): number
}

export const BURST_SECONDS = 2
