import { setTimeout as wait } from 'node:timers/promises'

/**
 * Behind a proxy, every request may meet another API node of a cluster: each of them knows of a
 * store, its keys, its schema and a swap within a second (docs/cluster.md).
 */
const KNOWN_EVERYWHERE_MS = 1_200

/** Resolves when every API node has seen the latest change. */
export function knownEverywhere(): Promise<void> {
  return wait(KNOWN_EVERYWHERE_MS)
}
