import { createHash } from 'node:crypto'
import { POPULARITY_TRIAL_DEPTH, POPULARITY_TRIAL_WEIGHT } from '@aisle/contract'
import type { RankedHit, SearchOutcome, SearchPlan } from '@aisle/engine'
import { isUsualOrder } from '../../domain/expressions/sort-language.ts'
import { teamDraft, type Drafted, type Team } from '../../domain/plan/team-draft.ts'
import { parseInstant } from '../../domain/values/iso-instant.ts'
import type { StoreResources } from '../../ports/catalog/resource-reader.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import type { ServicePorts } from '../service-ports.ts'
import { currentSettings } from '../store/store-settings.ts'
import { withPopularity } from './plan-popularity.ts'

/** A search in a popularity trial: its two plans, and the coins of its visitor. */
export interface PlannedTrial {
  readonly plain: SearchPlan
  readonly popular: SearchPlan
  readonly isPlainFirst: (round: number) => boolean
}

export interface TrialOutcome {
  readonly outcome: SearchOutcome
  /** Teams by docKey, without hits that both orders have in the same place. */
  readonly teams: ReadonlyMap<number, Team>
}

/** Whether a popularity trial runs at a moment; `from` distinguishes one trial from the next. */
export function runningTrial(resources: StoreResources, nowMs: number): string | undefined {
  const trial = currentSettings(resources).settings.popularity_trial
  if (trial === undefined) return undefined
  const [from = Infinity, until = 0] = [parseInstant(trial.from), parseInstant(trial.until)]
  return nowMs >= from && nowMs < until ? trial.from : undefined
}

/**
 * Returns the two plans of a search that takes part: it has the usual order and a page within the
 * limit. docs/popularity.md has the definition.
 *
 * @param visitor has the same coins on every page of a query
 * @param q as the visitor typed it
 */
export function planTrial(
  ports: Pick<ServicePorts, 'suggestions' | 'registry' | 'clock'>,
  storeId: string,
  view: SearchView,
  plan: SearchPlan,
  { visitor, q }: { readonly visitor: string | undefined; readonly q: string },
): PlannedTrial | undefined {
  const from = runningTrial(view.resources, ports.clock.now())
  // The common case allocates nothing.
  if (from === undefined) return undefined
  const { popularity: _, ...unpopular } = plan
  const { size, sort } = unpopular
  if (visitor === undefined || size === 0 || !isUsualOrder(sort)) {
    return undefined
  }
  // Groups of two orders cannot be interleaved hit by hit.
  if (unpopular.groups !== undefined) return undefined
  if (unpopular.from + size > POPULARITY_TRIAL_DEPTH) return undefined
  // Drafting k hits needs the first k of each order.
  const plain: SearchPlan = { ...unpopular, from: 0, size: unpopular.from + size }
  const popular = withPopularity(ports, storeId, view, plain, q, POPULARITY_TRIAL_WEIGHT)
  // Nobody has clicked or bought anything yet.
  if (popular.popularity === undefined) return undefined
  const query = q.trim().toLowerCase().replaceAll(/\s+/g, ' ')
  const coins = createHash('sha256')
    .update(JSON.stringify([from, visitor, query]))
    .digest()
  return {
    plain,
    popular: { ...popular, facets: [] },
    isPlainFirst: (round) => ((coins[(round >> 3) % coins.length]! >> (round & 7)) & 1) === 0,
  }
}

/**
 * Runs both plans and interleaves their hits; the rest of the outcome is the same in both. Pinned
 * hits keep their places and belong to no order.
 *
 * @param page ranks from 0
 * @returns undefined if time ran out: an incomplete order would not be fair
 */
export async function executeTrial(
  view: SearchView,
  trial: PlannedTrial,
  page: Pick<SearchPlan, 'from' | 'size'>,
): Promise<TrialOutcome | undefined> {
  const plain = await view.search(trial.plain)
  const popular = await view.search(trial.popular)
  if (plain.cutoff || popular.cutoff) return undefined
  const isFree = ({ pinned }: RankedHit): boolean => pinned !== true
  const free = plain.hits.filter(isFree)
  const drafted = teamDraft(
    free,
    popular.hits.filter(isFree),
    ({ docKey }) => docKey,
    trial.isPlainFirst,
    free.length,
  ).values()
  const all = plain.hits.map((hit): Drafted<RankedHit> =>
    isFree(hit) ? drafted.next().value! : { item: hit, team: undefined },
  )
  const shown = all.slice(page.from, page.from + page.size)
  const teams = shown.flatMap(({ item, team }) =>
    team === undefined ? [] : [[item.docKey, team] as const],
  )
  return {
    outcome: { ...plain, hits: shown.map(({ item }) => item) },
    teams: new Map(teams),
  }
}
