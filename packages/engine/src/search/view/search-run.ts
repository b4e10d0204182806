import type { SearchPlan } from '../../query/plan.ts'
import { deadlineCheck } from './deadline.ts'
import { EvidenceTables } from './evidence-tables.ts'
import type { IndexView } from './index-view.ts'

/** One run of a plan over one generation of an index: what every part of a search needs. */
export interface SearchRun {
  readonly view: IndexView
  readonly plan: SearchPlan
  /** Under the field weights of the plan. */
  readonly tables: EvidenceTables
  /** The docKey of the live version of a document id. */
  readonly resolveId: (id: string) => number | undefined
  /** Throws DeadlineReached when the time of the plan is up. */
  readonly checkDeadline: () => void
}

/** What filters need of a run. */
export type FilterRun = Pick<SearchRun, 'view' | 'resolveId' | 'checkDeadline'>

export function newRun(
  view: IndexView,
  plan: SearchPlan,
  resolveId: SearchRun['resolveId'],
): SearchRun {
  const tables = EvidenceTables.for(view, plan)
  return { view, plan, tables, resolveId, checkDeadline: deadlineCheck(plan.deadlineMs) }
}
