import type { CompletionOutcome, CompletionRequest } from '../query/completion.ts'
import type { FilterNode } from '../query/filter.ts'
import type { SearchOutcome, SearchPlan } from '../query/plan.ts'
import type { IndexSnapshot } from '../segment/snapshot.ts'
import { findCompletions } from './completion/completions.ts'
import { matchingKeys } from './filters/matching-keys.ts'
import { OneSearch } from './one-search.ts'
import { deadlineCheck } from './view/deadline.ts'
import { IndexView, RANK_ALL_MAX } from './view/index-view.ts'
import { USUAL_LIST_BITS, type ListBitsRule } from './view/list-bits.ts'
import { newRun, type SearchRun } from './view/search-run.ts'
import { finish, type Steps } from './view/steps.ts'

/**
 * The searching side of one index: executes plans over the newest snapshot, on the calling thread.
 */
export class Searcher {
  readonly #listBits: ListBitsRule
  readonly #rankAllMax: number
  #view: IndexView | undefined

  /**
   * Tests lower the limits, so that small indexes behave like large ones.
   *
   * @param listBits which posting lists become bitsets
   * @param rankAllMax up to this many postings, every match is ranked
   */
  constructor(listBits = USUAL_LIST_BITS, rankAllMax = RANK_ALL_MAX) {
    this.#listBits = listBits
    this.#rankAllMax = rankAllMax
  }

  /** Switches to a newer generation for later searches. */
  update(snapshot: IndexSnapshot): void {
    this.#view = new IndexView(snapshot, this.#view, this.#listBits, this.#rankAllMax)
  }

  /** The docKeys of all live documents that match a filter, ascending. */
  matchingKeys(filter: FilterNode, resolveId: SearchRun['resolveId']): Float64Array {
    return finish(this.matchingKeySteps(filter, resolveId, () => false))
  }

  /**
   * The same in turns, like `steps`.
   *
   * @param deadlineMs of `performance.now()`; then it throws DeadlineReached
   */
  matchingKeySteps(
    filter: FilterNode,
    resolveId: SearchRun['resolveId'],
    isTurnOver: () => boolean,
    deadlineMs?: number,
  ): Steps<Float64Array> {
    const pace = { checkDeadline: deadlineCheck(deadlineMs), isTurnOver }
    return matchingKeys(this.#newest, filter, resolveId, pace)
  }

  /** Whether a live document contains a form of this stem in a searchable field. */
  holds(stem: string): boolean {
    const { terms } = this.#newest
    const group = terms.find(stem)
    return group >= 0 && terms.groupDocFreq(group) > 0
  }

  /**
   * @param resolveId the docKey of the live version of a document id
   * @returns results so far, with `cutoff`, if the deadline of the plan passes
   * @throws Error before the first snapshot
   */
  search(plan: SearchPlan, resolveId: SearchRun['resolveId']): SearchOutcome {
    return finish(this.steps(plan, resolveId, () => false))
  }

  /**
   * The same in turns: yields when one is over, and others may search in between. It stays with the
   * snapshot with which it began.
   *
   * @param isTurnOver asked every millisecond or so
   */
  steps(
    plan: SearchPlan,
    resolveId: SearchRun['resolveId'],
    isTurnOver: () => boolean,
  ): Steps<SearchOutcome> {
    return new OneSearch(this.#newest, plan, resolveId, isTurnOver).steps()
  }

  /**
   * Completions of the last word of the query.
   *
   * @param plan determines the filter, the searched fields and the deadline; its words are ignored
   */
  complete(
    plan: SearchPlan,
    request: CompletionRequest,
    resolveId: SearchRun['resolveId'],
  ): CompletionOutcome {
    return finish(this.completionSteps(plan, request, resolveId, () => false))
  }

  /** The same in turns. */
  completionSteps(
    plan: SearchPlan,
    request: CompletionRequest,
    resolveId: SearchRun['resolveId'],
    isTurnOver: () => boolean,
  ): Steps<CompletionOutcome> {
    return findCompletions(newRun(this.#newest, plan, resolveId, isTurnOver), request)
  }

  /** A searcher of the newest snapshot only, with the caches of this one. */
  pinned(): Searcher {
    const pinned = new Searcher(this.#listBits, this.#rankAllMax)
    pinned.#view = this.#view
    return pinned
  }

  get #newest(): IndexView {
    if (this.#view === undefined) throw new Error('Searching before the first snapshot')
    return this.#view
  }
}
