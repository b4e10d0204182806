/** Open connections of each network, over all threads. */
export interface ConnectionCounts {
  /** @returns how many it has now, this one included */
  enter(network: string): number
  /** Once for each `enter`. */
  leave(network: string): void
}
