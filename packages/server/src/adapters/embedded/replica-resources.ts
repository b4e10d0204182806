import { ResourceTable } from '../../domain/store/resource.ts'
import type { ResourceReader, StoreResources } from '../../ports/resource-reader.ts'
import type { Replica } from './replica.ts'

/** The resources as a serving thread's replica has them. */
export class ReplicaResources implements ResourceReader {
  readonly #replica: Replica

  constructor(replica: Replica) {
    this.#replica = replica
  }

  of(storeId: string): StoreResources {
    return this.#replica.store(storeId)?.resources ?? ResourceTable.empty
  }
}
