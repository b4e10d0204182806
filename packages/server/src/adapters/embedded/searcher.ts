import { Searcher } from '@aisle/engine'
import type { IndexSnapshot, SearchOutcome, SearchPlan } from '@aisle/engine'
import type { IndexSearcher, IndexSnapshotHandle } from './engine-port.ts'

class EngineSearcher implements IndexSearcher {
  readonly #searcher = new Searcher()

  update(snapshot: IndexSnapshotHandle): void {
    this.#searcher.update(snapshot as IndexSnapshot)
  }

  search(plan: SearchPlan, findKey: (id: string) => number | undefined): SearchOutcome {
    return this.#searcher.search(plan, findKey)
  }
}

/** The engine's searcher in the words of this adapter. */
export function createSearcher(): IndexSearcher {
  return new EngineSearcher()
}
