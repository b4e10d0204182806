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

/**
 * What can search a store: the embedded engine, a cluster. It takes plans; it never sees a query
 * string, a request parameter or a rule.
 */
export interface SearchBackend {
  /**
   * The store as of the newest acknowledged write. Plan against `schema` of the same view that will
   * execute the plan. `undefined` when the store does not exist; throws ApiError `unavailable`
   * while the store is being loaded or rebuilt.
   */
  view(storeId: string): SearchView | undefined
}

/**
 * One store at one generation: whatever is written meanwhile, its schema, resources and index
 * belong together. Short-lived: use it within a request, then drop it.
 */
export interface SearchView {
  /** `undefined` before any schema: nothing can be found. */
  readonly schema: Schema | undefined
  /** The analyzer of its documents; queries and highlights must use the same. */
  readonly analyzer: Analyzer
  /** Settings, sets, presets and rules. */
  readonly resources: StoreResources
  /**
   * Grows with every change that may change an answer: of documents, schema, settings, sets,
   * presets. The same question at the same version has the same answer, on every thread.
   */
  readonly version: number
  /**
   * Names the documents that the view is of: a docKey means something beside it alone. The stores
   * of a swap exchange it.
   */
  readonly content: string
  /**
   * Present if only a part of the documents is visible: the filter that they meet. What is kept of
   * the answers is kept by scope.
   */
  readonly scope?: string
  /**
   * The version as of now, where others may have changed documents since the view was opened and
   * only asking tells: a cluster. Absent: `version` is it.
   */
  askVersion?(): Promise<number>
  /** Live documents. */
  docCount(): Awaitable<number>
  /** Executes a plan. The embedded engine answers synchronously, on the calling thread. */
  search(plan: SearchPlan): Awaitable<SearchOutcome>
  /**
   * Completions of the last word of a query, among the documents that pass the filter of the plan.
   */
  complete(plan: SearchPlan, request: CompletionRequest): Awaitable<CompletionOutcome>
  /** Of each of these stems: whether some document holds a form of it in a searchable field. */
  holds(stems: readonly string[]): Awaitable<readonly boolean[]>
  /** The docKeys of all documents that match a filter, ascending. Needs a schema. */
  matchingKeys(filter: FilterNode): Awaitable<Float64Array>
}
