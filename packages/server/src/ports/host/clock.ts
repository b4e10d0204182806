/** The time of day, as a port so that tests can set it. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number
}
