/**
 * Requests through a proxy may reach different API nodes of a cluster; each learns of a store, its
 * keys, its schema and a swap within a second (docs/cluster.md).
 */
const KNOWN_EVERYWHERE_MS = 1_200

/** Resolves when every API node has seen the latest change. */
export function knownEverywhere({ pause }: Pauses = CLOCK): Promise<void> {
  return pause(KNOWN_EVERYWHERE_MS)
}

interface Pauses {
  readonly pause: (ms: number) => Promise<void>
}

const CLOCK: Pauses = {
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}
