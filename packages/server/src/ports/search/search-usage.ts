/** Searches of each store in a calendar month (UTC), counted exactly over all threads. */
export interface SearchUsage {
  /**
   * Counts one search.
   *
   * @param limit searches of a month; absent: as many as one likes
   * @returns false when the limit is reached: then nothing was counted
   */
  take(storeId: string, nowMs: number, limit: number | undefined): boolean
  /** Searches of the month of `nowMs`. */
  used(storeId: string, nowMs: number): number
}
