/** The rate of requests of a client: a number per second, and bursts of twice that. */
export interface RateLimiter {
  /** Requests at once. */
  readonly burst: number
  /** Seconds in which an empty bucket fills up. */
  readonly windowSeconds: number
  /**
   * Takes tokens from a bucket: all of them or none.
   *
   * @param count 1 by default; 0 takes none and tells how many there are
   * @returns tokens left, or -1 when there were too few
   */
  take(key: string, count?: number): number
}

export const BURST_SECONDS = 2
