import { Searcher, type IndexSnapshot } from '@aisle/engine'
import { deadBytes } from './dead-bytes.ts'
import { SharedGarbage } from './shared-garbage.ts'
import type { IndexSearcher, IndexSnapshotHandle } from './engine-port.ts'

/** One per thread, like the memory. */
const garbage = new SharedGarbage()

/**
 * Holds only the newest snapshot until the first search, because most stores are not searched on
 * every thread, and one that is being filled is published many times a second.
 */
class LazySearcher implements IndexSearcher {
  readonly #isKept: boolean
  #searcher: Searcher | undefined
  #snapshot: IndexSnapshot | undefined

  /**
   * @param isKept whether the view that a search builds from the snapshot is cached for the next
   * one
   */
  constructor(isKept: boolean) {
    this.#isKept = isKept
  }

  update(snapshot: IndexSnapshotHandle): void {
    const next = snapshot as IndexSnapshot
    const before = this.#snapshot
    this.#snapshot = next
    this.#searcher?.update(next)
    if (before !== undefined) garbage.passed(deadBytes(before, next))
  }

  release(): void {
    const before = this.#snapshot
    if (before !== undefined) garbage.passed(deadBytes(before, { ...before, ...NOTHING }))
  }

  current(): Searcher {
    if (this.#searcher !== undefined) return this.#searcher.pinned()
    const searcher = new Searcher()
    if (this.#snapshot !== undefined) searcher.update(this.#snapshot)
    if (!this.#isKept) return searcher
    this.#searcher = searcher
    return searcher.pinned()
  }
}

const NOTHING = {
  segments: [],
  trie: undefined,
  values: [],
} satisfies Partial<IndexSnapshot>

export function createSearcher(): IndexSearcher {
  return new LazySearcher(true)
}

/**
 * The searcher for a thread that searches each index only now and then. It holds only the snapshot,
 * because a view with its caches takes some 100 KB even for a small store.
 */
export function createPassingSearcher(): IndexSearcher {
  return new LazySearcher(false)
}
