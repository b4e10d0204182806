import type { SearchParameters } from '@aisle/contract'
import type { SearchPlan } from '@aisle/engine'
import { readQuery } from '@aisle/suggestions'
import { isUsualOrder } from '../../domain/expressions/sort-language.ts'
import type { StoreResources } from '../../ports/catalog/resource-reader.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import type { StorePopularity } from '../../ports/suggestions/suggestion-source.ts'
import type { ServicePorts } from '../service-ports.ts'
import { currentSettings } from '../store/store-settings.ts'

export type PopularityPorts = Pick<ServicePorts, 'suggestions' | 'registry'>

/**
 * Adds popularity to a plan if the store has it enabled, or if the sort order names it. Without the
 * setting, `_popularity` in the default order has no effect, so clicks change an order only if the
 * merchant wants that.
 *
 * @param q the query as the visitor typed it, because clicks are counted under that
 */
export function withPopularity(
  ports: PopularityPorts,
  storeId: string,
  { analyzer, resources, content }: Pick<SearchView, 'analyzer' | 'resources' | 'content'>,
  plan: SearchPlan,
  q: string,
  weight = weightOf(resources),
): SearchPlan {
  const isNamed = plan.sort.some(({ kind }) => kind === 'popularity') && !isUsualOrder(plan.sort)
  if ((weight === 0 && !isNamed) || plan.size === 0) return plan
  const popularity = popularityOf(ports, storeId)
  // Applies after a swap, until there is a popularity of the store's current documents.
  if (popularity === undefined || popularity.content !== content) return plan
  const { documents } = popularity.index
  const key = weight === 0 ? undefined : readQuery(q, analyzer)?.key
  const appeal = key === undefined ? NO_APPEAL : popularity.index.appealOf(key)
  return { ...plan, popularity: { documents, appeal, weight } }
}

/**
 * Returns the version of popularity and learning that affects the response to a request, for the
 * cache; empty if neither does.
 *
 * @param orders all sort orders that may apply
 */
export function popularityVersion(
  ports: PopularityPorts,
  storeId: string,
  { resources }: Pick<SearchView, 'resources'>,
  orders: readonly (SearchParameters['sort_by'] | SearchPlan['sort'])[],
): string {
  const { ranking = {} } = currentSettings(resources).settings
  const mayCount =
    weightOf(resources) > 0 ||
    ranking.learning === 'on' ||
    [...orders, ranking.sort_by].some(
      (order) => order !== undefined && /popularity/.test(JSON.stringify(order)),
    )
  if (!mayCount) return ''
  return String(popularityOf(ports, storeId)?.version ?? '')
}

function weightOf(resources: StoreResources): number {
  return currentSettings(resources).settings.ranking?.popularity_weight ?? 0
}

/** What clicks have taught about the documents of a store. */
export function popularityOf(ports: PopularityPorts, storeId: string): StorePopularity | undefined {
  const owner = ports.registry.find(storeId)
  return owner === undefined ? undefined : ports.suggestions.popularity(owner)
}

const NO_APPEAL: ReadonlyMap<number, number> = new Map()
