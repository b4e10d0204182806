import type { SearchUsage } from '../../ports/search-usage.ts'
import type { Replica } from './replica.ts'
import { searchesUsed, takeSearch } from './search-counter.ts'

/** The counts of searches that a serving thread shares with all others. */
export class ReplicaUsage implements SearchUsage {
  readonly #replica: Replica

  constructor(replica: Replica) {
    this.#replica = replica
  }

  take(storeId: string, nowMs: number, limit: number | undefined): boolean {
    const store = this.#replica.knownStore(storeId)
    // Deleted in this very moment: what it finds is nobody's any more.
    return store === undefined || takeSearch(store.counter, nowMs, limit)
  }

  used(storeId: string, nowMs: number): number {
    const store = this.#replica.store(storeId)
    return store === undefined ? 0 : searchesUsed(store.counter, nowMs)
  }
}
