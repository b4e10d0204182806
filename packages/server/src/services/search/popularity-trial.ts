import { POPULARITY_TRIAL_DEPTH, POPULARITY_TRIAL_WEIGHT } from '@aisle/contract'
import type { SearchPlan } from '@aisle/engine'
import { parseInstant } from '../../domain/values/iso-instant.ts'
import type { StoreResources } from '../../ports/catalog/resource-reader.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import type { ServicePorts } from '../service-ports.ts'
import { currentSettings } from '../store/store-settings.ts'
import { coinsOf, fromTheFirst, mayInterleave, type Interleaving } from './interleave.ts'
import { withPopularity } from './plan-popularity.ts'

/** Whether a popularity trial runs at a moment; `from` distinguishes one trial from the next. */
export function runningTrial(resources: StoreResources, nowMs: number): string | undefined {
  const trial = currentSettings(resources).settings.popularity_trial
  if (trial === undefined) return undefined
  const [from = Infinity, until = 0] = [parseInstant(trial.from), parseInstant(trial.until)]
  return nowMs >= from && nowMs < until ? trial.from : undefined
}

/**
 * Returns the two plans of a search that takes part, without and with popularity: it has the usual
 * order and a page within the limit. docs/popularity.md has the definition.
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
): Interleaving | undefined {
  const from = runningTrial(view.resources, ports.clock.now())
  // The common case allocates nothing.
  if (from === undefined || visitor === undefined) return undefined
  if (!mayInterleave(plan, POPULARITY_TRIAL_DEPTH)) return undefined
  const { popularity: _, ...live } = fromTheFirst(plan)
  const popular = withPopularity(ports, storeId, view, live, q, POPULARITY_TRIAL_WEIGHT)
  // Nobody has clicked or bought anything yet.
  if (popular.popularity === undefined) return undefined
  const draft = { ...popular, facets: [] }
  return { live, draft, isLiveFirst: coinsOf(from, visitor, q) }
}
