import type { Resource, ResourceKind, ResourceReader } from '../../ports/resource-reader.ts'
import type { Replica } from './replica.ts'

/** The resources as a serving thread's replica has them. */
export class ReplicaResources implements ResourceReader {
  readonly #replica: Replica

  constructor(replica: Replica) {
    this.#replica = replica
  }

  get(storeId: string, kind: ResourceKind, name: string): Resource | undefined {
    return this.#replica.store(storeId)?.resources.get(kind, name)
  }

  list(storeId: string, kind: ResourceKind): readonly Resource[] {
    return this.#replica.store(storeId)?.resources.list(kind) ?? []
  }
}
