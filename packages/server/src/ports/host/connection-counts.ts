/** Counts the open connections of each network, over all threads. */
export interface ConnectionCounts {
  /** @returns its number of connections, including this one */
  enter(network: string): number
  /** Must be called once for each `enter`. */
  leave(network: string): void
}
