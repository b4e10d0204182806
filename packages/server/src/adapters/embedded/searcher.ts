import { Searcher } from '@aisle/engine'
import type {
  FilterNode,
  CompletionOutcome,
  CompletionRequest,
  IndexSnapshot,
  SearchOutcome,
  SearchPlan,
} from '@aisle/engine'
import { deadBytes } from './dead-bytes.ts'
import { SharedGarbage } from './shared-garbage.ts'
import type { IndexSearcher, IndexSnapshotHandle } from './engine-port.ts'

/** One per thread, as the memory is. */
const garbage = new SharedGarbage()

/**
 * Until it is first asked it keeps no more than the newest snapshot: most stores are not searched
 * on every thread, and one that is being filled is published many times a second.
 */
class EngineSearcher implements IndexSearcher {
  #searcher: Searcher | undefined
  #snapshot: IndexSnapshot | undefined

  update(snapshot: IndexSnapshotHandle): void {
    const next = snapshot as IndexSnapshot
    const before = this.#snapshot
    this.#snapshot = next
    this.#searcher?.update(next)
    if (before !== undefined) garbage.passed(deadBytes(before, next))
  }

  search(plan: SearchPlan, findKey: (id: string) => number | undefined): SearchOutcome {
    return this.#asked().search(plan, findKey)
  }

  complete(
    plan: SearchPlan,
    request: CompletionRequest,
    findKey: (id: string) => number | undefined,
  ): CompletionOutcome {
    return this.#asked().complete(plan, request, findKey)
  }

  holds(stem: string): boolean {
    return this.#asked().holds(stem)
  }

  matchingKeys(filter: FilterNode, findKey: (id: string) => number | undefined): Float64Array {
    return this.#asked().matchingKeys(filter, findKey)
  }

  #asked(): Searcher {
    if (this.#searcher === undefined) {
      this.#searcher = new Searcher()
      if (this.#snapshot !== undefined) this.#searcher.update(this.#snapshot)
    }
    return this.#searcher
  }
}

/** The engine's searcher in the words of this adapter. */
export function createSearcher(): IndexSearcher {
  return new EngineSearcher()
}
