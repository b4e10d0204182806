/** The parts that identify a state of a store, compared one by one by identity. */
export type StoreState = readonly unknown[]

/** Maximum of stores with a known last state; the least recently used one is evicted. */
const STORES_MAX = 10_000

/**
 * Assigns versions to states of stores, so that answers can be cached under them. A store that
 * changes and changes back gets a new version, because only the last state is remembered.
 */
export class StoreVersions {
  readonly #last = new Map<string, { readonly state: StoreState; readonly version: number }>()
  #newest = 0

  /** Returns a version that no state has. */
  next(): number {
    return ++this.#newest
  }

  of(storeId: string, state: StoreState): number {
    const last = this.#last.get(storeId)
    const isSame = last?.state.every((part, at) => Object.is(part, state[at])) ?? false
    const version = isSame ? last!.version : this.next()
    this.#last.delete(storeId)
    if (this.#last.size >= STORES_MAX) this.#last.delete(this.#last.keys().next().value!)
    this.#last.set(storeId, { state, version })
    return version
  }
}
