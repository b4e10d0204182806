import { createHash } from 'node:crypto'
import {
  ApiError,
  EXPERIMENT_DEPTH,
  POPULARITY_TRIAL_ID,
  type SearchParameters,
} from '@aisle/contract'
import { experimentVisitor, filtersUsed, type ExperimentArm, type Visitor } from '@aisle/event-log'
import { isBlankQuery } from '../../domain/rules/rule-check.ts'
import type { StoreResources } from '../../ports/catalog/resource-reader.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import { draftedResources, type ExperimentRecord } from '../store/experiment-record.ts'
import { runningExperiments } from '../store/known-experiments.ts'
import { presetValue } from '../store/presets.ts'
import { askedSearch, meantSearch, planAsked, type Asking } from './asked-search.ts'
import type { ExecutedSearch } from './executed-search.ts'
import { coinsOf, fromTheFirst, mayInterleave, type Interleaving } from './interleave.ts'
import { checkPreset } from './put-preset.ts'
import type { MeantSearch } from './semantic-search.ts'
import { withResourcesOf } from './view-with-resources.ts'

/** The arm of an experiment that answers a search. */
export interface AssignedArm {
  readonly id: string
  readonly arm: ExperimentArm
  /** Who is assigned; has the same coins on every page of a query. */
  readonly visitor: string
  /** The store as if the draft were live. */
  readonly drafted: SearchView
}

/**
 * Assigns a search to an arm of the first running experiment that takes it: docs/experiments.md.
 *
 * @param visitor undefined if the choices of the sender do not count
 */
export function assignedArm(
  view: SearchView,
  request: AssignedRequest,
  visitor: Visitor | undefined,
  nowMs: number,
): AssignedArm | undefined {
  if (visitor === undefined || request.analytics === false) return undefined
  const running = runningExperiments(view.resources, nowMs)
  // The common case allocates nothing.
  if (running.length === 0) return undefined
  const key = experimentVisitor(visitor)
  // Nobody: everyone without an identity would be one visitor.
  if (key === 'c') return undefined
  for (const experiment of running) {
    const { id, kind, draftPercent } = experiment
    if (!takes(experiment, request)) continue
    const resources = draftedResources(view, experiment)
    // It does not suit the schema any more: everyone gets what is live.
    if (resources === undefined) return undefined
    const drafted = withResourcesOf(view, resources)
    if (!presetsFit(drafted, experiment, nowMs)) return undefined
    const isDraft = shareOf(id, key) < draftPercent / 100
    const arm = kind === 'interleaved' ? 'interleaved' : isDraft ? 'draft' : 'live'
    return { id, arm, visitor: key, drafted }
  }
  return undefined
}

/** What decides which experiment takes a search. */
type AssignedRequest = Pick<
  SearchParameters,
  'q' | 'filter_by' | 'filters' | 'analytics' | 'analytics_tags'
>

function takes({ tags, category }: ExperimentRecord, request: AssignedRequest): boolean {
  const { analytics_tags: own = [], q, filter_by, filters } = request
  if (tags.length > 0 && !tags.some((tag) => own.includes(tag))) return false
  if (category === undefined) return true
  // As reports read the filters of a search, so that both speak of the same page.
  return (
    isBlankQuery(q) &&
    filtersUsed({ filters: { filter_by, filters } }).some(
      ({ field, value }) => field === category.field && value === category.value,
    )
  )
}

/** The place of a visitor in an experiment, in [0, 1); independent of that in any other. */
function shareOf(id: string, visitor: string): number {
  const hash = createHash('sha256').update(`${id} ${visitor}`).digest()
  return hash.readUInt32BE(0) / 2 ** 32
}

/** Whether the presets of a draft suit the schema, once for each state of a store. */
const fitting = new WeakMap<StoreResources, boolean>()

function presetsFit(drafted: SearchView, { puts }: ExperimentRecord, nowMs: number): boolean {
  const known = fitting.get(drafted.resources)
  if (known !== undefined) return known
  const fits = puts.every((put) => {
    if (put.kind !== 'preset') return true
    try {
      checkPreset(drafted, presetValue(put), nowMs)
      return true
    } catch (error) {
      if (error instanceof ApiError) return false
      throw error
    }
  })
  fitting.set(drafted.resources, fits)
  return fits
}

/** An interleaved search: its plans, and the search of the draft to present the hits with. */
export interface PlannedInterleaving extends Interleaving {
  readonly drafted: Pick<ExecutedSearch, 'request' | 'planned' | 'rules'>
}

/** The plans of an interleaved search; undefined if it cannot be part of the experiment. */
export async function planInterleaved(
  asking: Asking,
  { id, visitor, drafted }: AssignedArm,
  { planned: { plan: live }, isSkipped }: MeantSearch,
): Promise<PlannedInterleaving | undefined> {
  if (isSkipped || !mayInterleave(live, EXPERIMENT_DEPTH)) return undefined
  const { ports, storeId, pace } = asking
  const asked = await askedSearch(asking, drafted)
  const { request, planned: byWords } = planAsked(ports, storeId, drafted, asked, pace)
  const meant = await meantSearch(asking, drafted, asked, byWords)
  // The page is that of what is live, whatever a preset of the draft says.
  const plan = { ...meant.planned.plan, from: live.from, size: live.size }
  // An order that lacks the meaning of the query would not be a fair comparison.
  if (meant.isSkipped || !mayInterleave(plan, EXPERIMENT_DEPTH)) return undefined
  const { popularity: _, ...plain } = live
  return {
    live: fromTheFirst(id === POPULARITY_TRIAL_ID ? plain : live),
    draft: fromTheFirst(plan),
    isLiveFirst: coinsOf(id, visitor, asked.read.request.q),
    taste: asked.taste,
    drafted: { request, planned: meant.planned, rules: asked.rules },
  }
}
