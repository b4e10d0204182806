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

class EngineSearcher implements IndexSearcher {
  readonly #searcher = new Searcher()
  #snapshot: IndexSnapshot | undefined

  update(snapshot: IndexSnapshotHandle): void {
    const next = snapshot as IndexSnapshot
    const before = this.#snapshot
    this.#snapshot = next
    this.#searcher.update(next)
    if (before !== undefined) garbage.passed(deadBytes(before, next))
  }

  search(plan: SearchPlan, findKey: (id: string) => number | undefined): SearchOutcome {
    return this.#searcher.search(plan, findKey)
  }

  complete(
    plan: SearchPlan,
    request: CompletionRequest,
    findKey: (id: string) => number | undefined,
  ): CompletionOutcome {
    return this.#searcher.complete(plan, request, findKey)
  }

  holds(stem: string): boolean {
    return this.#searcher.holds(stem)
  }

  matchingKeys(filter: FilterNode, findKey: (id: string) => number | undefined): Float64Array {
    return this.#searcher.matchingKeys(filter, findKey)
  }
}

/** The engine's searcher in the words of this adapter. */
export function createSearcher(): IndexSearcher {
  return new EngineSearcher()
}
