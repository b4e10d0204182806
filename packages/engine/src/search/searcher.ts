import type { CompletionOutcome, CompletionRequest } from '../query/completion.ts'
import type { ScoreExplanation } from '../query/explanation.ts'
import type { FilterNode } from '../query/filter.ts'
import type { SearchOutcome, SearchPlan } from '../query/plan.ts'
import type { IndexSnapshot } from '../segment/snapshot.ts'
import { Bonus } from './ranking/bonus.ts'
import { Boosts } from './ranking/boosts.ts'
import { findCompletions } from './completion/completions.ts'
import { DeadlineReached, deadlineCheck } from './deadline.ts'
import { EvidenceTables } from './view/evidence-tables.ts'
import { ScoreExplainer } from './ranking/explain.ts'
import { IndexView } from './view/index-view.ts'
import { searchAll } from './match-all.ts'
import { matchingKeys } from './filters/matching-keys.ts'
import { PinnedDocuments } from './ranking/pinned-documents.ts'
import { Popularity } from './ranking/popularity.ts'
import { findRelevantPoints } from './relevance.ts'
import { boundUnits, type ResolvedSlot } from './words/resolved-slot.ts'
import { ResultCollector } from './collect/result-collector.ts'
import { filterBits } from './filters/filterable-segment.ts'
import { rankAll, waysToRank } from './ranking/slot-roles.ts'
import { resolveSlot } from './words/slot-resolver.ts'
import { TitlePlaces } from './ranking/title-places.ts'
import { searchWords } from './word-search.ts'

/**
 * The searching side of one index: executes plans over the newest snapshot it received,
 * synchronously, on the calling thread.
 */
export class Searcher {
  #view: IndexView | undefined

  /** Takes a newer generation; later searches see it. */
  update(snapshot: IndexSnapshot): void {
    this.#view = new IndexView(snapshot, this.#view)
  }

  /** The docKeys of all live documents that meet a filter, ascending. */
  matchingKeys(filter: FilterNode, resolveId: (id: string) => number | undefined): Float64Array {
    if (this.#view === undefined) throw new Error('A searcher was asked before its first snapshot')
    return matchingKeys(this.#view, filter, resolveId)
  }

  /** Whether a live document holds a form of this stem in a searchable field. */
  holds(stem: string): boolean {
    if (this.#view === undefined) throw new Error('A searcher was asked before its first snapshot')
    const { terms } = this.#view
    const group = terms.find(stem)
    return group >= 0 && terms.groupDocFreq(group) > 0
  }

  /**
   * @param resolveId the docKey of the live version of a document id
   */
  search(plan: SearchPlan, resolveId: (id: string) => number | undefined): SearchOutcome {
    const view = this.#view
    if (view === undefined) throw new Error('A searcher was asked before its first snapshot')
    const checkDeadline = deadlineCheck(plan.deadlineMs)
    const tables = new EvidenceTables(view, plan)
    const popularity = plan.popularity && new Popularity(view, plan.popularity)
    const boosts = new Boosts(
      plan.boosts,
      (filter, segmentIndex) =>
        filterBits(view, view.segments[segmentIndex]!, filter, resolveId, checkDeadline),
      plan.slots.length > 0 && popularity?.isInScore ? popularity : undefined,
    )
    const collect = () =>
      new ResultCollector(view, plan, resolveId, checkDeadline, boosts, popularity)
    let collector = collect()
    let slots: ResolvedSlot[] = []
    let bonus = new Bonus(view, plan, [], tables, boosts)
    let cutoff = !beforeDeadline(() => {
      slots = boundUnits(
        plan.slots.map((_, i) => resolveSlot(view, plan, i, tables, checkDeadline)),
      )
      bonus = new Bonus(view, plan, slots, tables, boosts)
      const pinned = new PinnedDocuments(view, plan, resolveId, checkDeadline)
      if (plan.slots.length === 0) {
        return searchAll(view, plan, pinned, boosts, collector, checkDeadline)
      }
      const prepare = () => {
        collector = collect()
        collector.expectBonus(bonus, TitlePlaces.for(view, plan))
        collector.admitPinned(pinned)
        return collector
      }
      const known = slots.filter((slot) => slot.known)
      const canMatch = known.length === slots.length || !plan.requireAllTerms
      const { ranksNeeded } = prepare()
      const pointsMin = canMatch ? findRelevantPoints(view, plan, known, tables, checkDeadline) : 0
      const ways = pointsMin > 0 ? [rankAll(known)] : waysToRank(view, plan, known, ranksNeeded)
      for (const [attempt, roles] of (canMatch ? ways : []).entries()) {
        const sink = attempt === 0 ? collector : prepare()
        searchWords(view, plan, known, pinned, roles, tables, sink, checkDeadline, pointsMin)
        if (sink.isBelowPage(roles.unrankedScoreMax)) break
      }
    })
    const page = collector.page()
    let explanations: readonly (ScoreExplanation | undefined)[] = []
    if (plan.explain && !cutoff) {
      const explainer = new ScoreExplainer(view, plan, slots, tables, bonus, boosts, checkDeadline)
      const explain = () =>
        (explanations = page.map((hit) => (hit.pinned ? undefined : explainer.explain(hit))))
      cutoff = !beforeDeadline(explain)
    }
    const facets = collector.facets()
    return {
      found: collector.found,
      hits: page.map(({ segmentIndex, docOrd, score, pinned }, i) => ({
        docKey: view.segments[segmentIndex]!.reader.docKeys[docOrd]!,
        textMatchScore: score,
        ...(pinned === true ? { pinned } : {}),
        ...(explanations[i] === undefined ? {} : { explanation: explanations[i] }),
      })),
      facets,
      cutoff: cutoff || collector.isCut,
      expansions: slots.map((slot) => slot.expansion),
    }
  }

  /**
   * Completions of the last word of the query.
   *
   * @param plan determines the filter, the searched fields and the deadline; its words play no part
   */
  complete(
    plan: SearchPlan,
    request: CompletionRequest,
    resolveId: (id: string) => number | undefined,
  ): CompletionOutcome {
    const view = this.#view
    if (view === undefined) throw new Error('A searcher was asked before its first snapshot')
    const checkDeadline = deadlineCheck(plan.deadlineMs)
    const collector = new ResultCollector(view, plan, resolveId, checkDeadline, NO_BOOSTS)
    return findCompletions(view, plan, request, collector, checkDeadline)
  }
}

/** The order of documents does not affect completions. */
const NO_BOOSTS = new Boosts([], () => new Uint32Array())

/** @returns whether `run` finished in time */
function beforeDeadline(run: () => void): boolean {
  try {
    run()
    return true
  } catch (error) {
    if (!(error instanceof DeadlineReached)) throw error
    return false
  }
}
