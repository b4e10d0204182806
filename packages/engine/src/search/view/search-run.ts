import type { SearchPlan } from '../../query/plan.ts'
import { deadlineCheck } from './deadline.ts'
import { EvidenceTables } from './evidence-tables.ts'
import type { IndexView } from './index-view.ts'

/** One run of a plan over one generation of an index: the context of all parts of a search. */
export interface SearchRun {
  readonly view: IndexView
  readonly plan: SearchPlan
  /** Tables under the field weights of the plan. */
  readonly tables: EvidenceTables
  /** Points of a full match of the query ("Sorting, facets"); 0 until its words are bound. */
  fullPoints: number
  /** The docKey of the live version of a document id. */
  readonly resolveId: (id: string) => number | undefined
  /** Throws DeadlineReached after the deadline of the plan. */
  readonly checkDeadline: () => void
  /** Whether the turn of the search is over: it yields to others on its thread. */
  readonly isTurnOver: () => boolean
}

/** The part of a run that filters need. */
export type FilterRun = Pick<SearchRun, 'view' | 'resolveId' | 'checkDeadline'>

/** Binds a plan to a view. @param isTurnOver absent: it runs to its end in one turn */
export function newRun(
  view: IndexView,
  plan: SearchPlan,
  resolveId: SearchRun['resolveId'],
  isTurnOver: SearchRun['isTurnOver'] = () => false,
): SearchRun {
  const tables = EvidenceTables.for(view, plan)
  const checkDeadline = deadlineCheck(plan.deadlineMs)
  return {
    view,
    plan,
    tables,
    fullPoints: 0,
    resolveId,
    checkDeadline,
    isTurnOver,
  }
}
