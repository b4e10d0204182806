import type { FollowedStore, FollowedStores } from '../../ports/followed-stores.ts'
import type { Replica } from './replica.ts'

/** The stores of a replica, for what follows their event logs on the same thread. */
export class FollowedReplica implements FollowedStores {
  readonly #replica: Replica
  readonly #findKey: (catalog: number, id: string) => number | undefined

  /** @param findKey the live version of a document */
  constructor(replica: Replica, findKey: (catalog: number, id: string) => number | undefined) {
    this.#replica = replica
    this.#findKey = findKey
  }

  stores(): readonly FollowedStore[] {
    return this.#replica.stores().map(({ record: { storeId, createdAt }, index }) => ({
      storeId,
      createdAt,
      language: index?.language,
    }))
  }

  areKnown(): boolean {
    return this.#replica.starting().length === 0
  }

  stamp(storeId: string): string {
    const store = this.#replica.store(storeId)
    if (store === undefined) return ''
    const { statistics, resources, catalog, index } = store
    const { lastWriteAt = '', docCount } = statistics
    const settings = resources.list('settings').at(-1)?.name ?? ''
    return `${lastWriteAt} ${docCount} ${catalog} ${index?.index ?? ''} ${settings}`
  }

  contentOf(storeId: string): string {
    return this.#replica.store(storeId)?.content ?? ''
  }

  docKeys(storeId: string, ids: readonly string[]): ReadonlyMap<string, number> {
    const catalog = this.#replica.store(storeId)?.catalog
    const keys = new Map<string, number>()
    for (const id of catalog === undefined ? [] : ids) {
      const key = this.#findKey(catalog!, id)
      if (key !== undefined) keys.set(id, key)
    }
    return keys
  }
}
