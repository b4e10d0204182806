/** Open connections of each network, over all threads. */
export interface ConnectionCounts {
  /** @returns its number of connections, including this one */
  enter(network: string): number
  /** Once for each `enter`. */
  leave(network: string): void
}
