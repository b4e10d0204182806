import type {
  FilterNode,
  Analyzer,
  CompletionOutcome,
  CompletionRequest,
  Schema,
  SearchOutcome,
  SearchPlan,
} from '@aisle/engine'
import type { Awaitable } from '../awaitable.ts'
import type { StoreResources } from '../catalog/resource-reader.ts'
import type { Turns } from './turns.ts'

/**
 * Searches stores: the embedded engine or a cluster. It executes plans and never sees a query
 * string, a request parameter or a rule.
 */
export interface SearchBackend {
  /**
   * Opens the store as of the newest acknowledged write. Plan against the `schema` of the view that
   * will execute the plan. `undefined` if the store does not exist; throws ApiError `unavailable`
   * while the store is being loaded or rebuilt.
   *
   * @param turns of the request, for work of the view on the calling thread; absent: each call runs
   * to its end in one turn
   */
  view(storeId: string, turns?: Turns): SearchView | undefined
}

/**
 * One generation of a store: its schema, resources and index are consistent despite later writes.
 * Short-lived: use it within a request, then drop it.
 */
export interface SearchView {
  /** `undefined` if no schema is defined: nothing can be found. */
  readonly schema: Schema | undefined
  /** The analyzer of its documents; queries and highlights must use the same. */
  readonly analyzer: Analyzer
  /** Settings, sets, presets and rules. */
  readonly resources: StoreResources
  /**
   * Increases with every change that may change an answer: of documents, schema, settings, sets,
   * presets. The same question at the same version has the same answer on every thread.
   */
  readonly version: number
  /**
   * Identifies the set of documents of the view: a docKey is only meaningful with it. Swapped
   * stores exchange it.
   */
  readonly content: string
  /**
   * The filter of the visible documents; present if only some are visible. Answers are cached by
   * scope.
   */
  readonly scope?: string
  /**
   * Requests the current version from a cluster, where others may have changed documents since the
   * view was opened. Absent if `version` is always current.
   */
  askVersion?(): Promise<number>
  /**
   * Returns the current version if the answer to a search is worth keeping, although the request
   * does not ask for it: where searching takes much longer than asking for the version, and the
   * search has recurred. Absent if searching is as fast.
   *
   * @param key of the search, see domain/plan/question-key.ts
   */
  repeatVersion?(key: string): Promise<number | undefined>
  /** Number of live documents. */
  docCount(): Awaitable<number>
  /**
   * Executes a plan. The embedded engine searches on the calling thread, and answers synchronously
   * what takes no more than one turn. All calls of a view search the same documents.
   */
  search(plan: SearchPlan): Awaitable<SearchOutcome>
  /**
   * Returns completions of the last word of a query from the documents that pass the filter of the
   * plan.
   */
  complete(plan: SearchPlan, request: CompletionRequest): Awaitable<CompletionOutcome>
  /** Returns for each stem whether some document has a form of it in a searchable field. */
  holds(stems: readonly string[]): Awaitable<readonly boolean[]>
  /**
   * Returns the docKeys of all documents that match a filter, ascending. Needs a schema.
   *
   * @param deadlineMs of `performance.now()`; then it throws DeadlineReached
   */
  matchingKeys(filter: FilterNode, deadlineMs?: number): Awaitable<Float64Array>
}
