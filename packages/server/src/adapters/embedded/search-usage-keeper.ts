import type { StoreRecord } from '../../ports/catalog/store-registry.ts'
import { createSearchCounter, readCounter, type SearchCounter } from './search-counter.ts'

/** Storage of the counts, by name. */
export interface UsageRows {
  get(name: string): unknown
  /** Writes all or none; `undefined` removes one. */
  setAll(values: ReadonlyMap<string, unknown>): Promise<void>
}

interface UsageRow {
  /** A store that was recreated under the same id starts at zero. */
  readonly createdAt: string
  readonly month: number
  readonly searches: number
}

/**
 * Keeps search counts across restarts. Serving threads count in shared memory; changed counts are
 * written every few seconds and when the service stops, so a crash loses a few seconds of counts at
 * most. Main thread only.
 */
export class SearchUsageKeeper {
  readonly #rows: UsageRows
  readonly #counters = new Map<
    string,
    { store: StoreRecord; counter: SearchCounter; saved: bigint }
  >()

  constructor(rows: UsageRows) {
    this.#rows = rows
  }

  /** Returns the counter of a store, which continues from the stored count. */
  counterOf(store: StoreRecord): SearchCounter {
    const row = this.#rows.get(searchUsageName(store.storeId)) as UsageRow | undefined
    const counter = createSearchCounter(row?.createdAt === store.createdAt ? row : undefined)
    this.#counters.set(store.storeId, { store, counter, saved: Atomics.load(counter, 0) })
    return counter
  }

  /** @param lives whether the store still exists; counts of others are dropped */
  async save(lives: (storeId: string) => boolean): Promise<void> {
    const changes = new Map<string, UsageRow | undefined>()
    const saved: (() => void)[] = []
    for (const [storeId, one] of this.#counters) {
      if (!lives(storeId)) {
        changes.set(searchUsageName(storeId), undefined)
        saved.push(() => this.#counters.delete(storeId))
        continue
      }
      const word = Atomics.load(one.counter, 0)
      if (word === one.saved) continue
      const { createdAt } = one.store
      changes.set(searchUsageName(storeId), { createdAt, ...readCounter(one.counter) })
      saved.push(() => {
        one.saved = word
      })
    }
    if (changes.size === 0) return
    await this.#rows.setAll(changes)
    for (const done of saved) done()
  }
}

/** The name under which the count of a store is stored. */
export function searchUsageName(storeId: string): string {
  return `searchUsage/${storeId}`
}
