/** The time of day, as a port so that a test can hold it still. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number
}
