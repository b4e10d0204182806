/** Counts the searches of each store per calendar month (UTC), exactly over all threads. */
export interface SearchUsage {
  /**
   * Counts one search.
   *
   * @param limit searches per month; absent: unlimited
   * @returns false if the limit is reached; the search is not counted
   */
  take(storeId: string, nowMs: number, limit: number | undefined): boolean
  /** Returns the number of searches in the month of `nowMs`. */
  used(storeId: string, nowMs: number): number
}
