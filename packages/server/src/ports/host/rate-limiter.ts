/** The rate of requests of a client: a number per second, and bursts of twice that. */
export interface RateLimiter {
  /** Maximum number of requests at once. */
  readonly burst: number
  /** Seconds in which an empty bucket fills up. */
  readonly windowSeconds: number
  /**
   * Takes tokens from a bucket: all of them or none.
   *
   * @param count 1 by default; 0 takes none and returns how many are left
   * @returns tokens left, or -1 if there were too few
   */
  take(key: string, count?: number): number
}

export const BURST_SECONDS = 2
