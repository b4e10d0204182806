import type { StoreRecord } from '../../ports/catalog/store-registry.ts'
import { createSearchCounter, readCounter } from './search-counter.ts'
import type { SearchCounter } from './search-counter.ts'

/** Where counts are kept, by name. */
export interface UsageRows {
  get(name: string): unknown
  /** All or none; `undefined` removes one. */
  setAll(values: ReadonlyMap<string, unknown>): Promise<void>
}

interface UsageRow {
  /** A store that was recreated under the same id starts at zero. */
  readonly createdAt: string
  readonly month: number
  readonly searches: number
}

/**
 * Keeps the counts of searches over restarts. Serving threads count in shared memory; what has
 * changed is written every few seconds and when the service stops, so a crash loses the searches of
 * that time at most. Main thread only.
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

  /** The counter of a store, going on from what was kept. */
  counterOf(store: StoreRecord): SearchCounter {
    const row = this.#rows.get(searchUsageName(store.storeId)) as UsageRow | undefined
    const counter = createSearchCounter(row?.createdAt === store.createdAt ? row : undefined)
    this.#counters.set(store.storeId, { store, counter, saved: Atomics.load(counter, 0) })
    return counter
  }

  /** @param lives whether there still is such a store; the counts of others are let go */
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

/** Under which the count of a store is kept. */
export function searchUsageName(storeId: string): string {
  return `searchUsage/${storeId}`
}
