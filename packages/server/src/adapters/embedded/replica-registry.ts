import type { StoreRecord, StoreRegistry, StoreStatistics } from '../../ports/store-registry.ts'
import type { Replica } from './replica.ts'

/** The registry as a serving thread's replica has it. */
export class ReplicaRegistry implements StoreRegistry {
  readonly #replica: Replica

  constructor(replica: Replica) {
    this.#replica = replica
  }

  find(storeId: string): StoreRecord | undefined {
    return this.#replica.store(storeId)?.record
  }

  list(): readonly StoreRecord[] {
    return this.#replica.stores().map((store) => store.record)
  }

  statistics(storeId: string): StoreStatistics {
    const store = this.#replica.store(storeId)
    if (store === undefined) throw new Error(`No store "${storeId}" to count`)
    return store.statistics
  }
}
