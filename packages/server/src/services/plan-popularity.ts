import type { SearchParameters } from '@aisle/contract'
import type { SearchPlan } from '@aisle/engine'
import { readQuery } from '@aisle/suggestions'
import { isUsualOrder } from '../domain/sort-language.ts'
import type { SearchView } from '../ports/search-backend.ts'
import type { StorePopularity } from '../ports/suggestion-source.ts'
import type { Catalog } from './catalog.ts'
import { currentSettings } from './store-settings.ts'

type PopularityCatalog = Pick<Catalog, 'suggestions' | 'registry' | 'resources'>

/**
 * Brings what visitors did into a plan: when the store says that it counts, or the order asks for it by name. In the
 * usual order `_popularity` counts only with the former, so that nobody's clicks change an order that nobody wanted changed.
 *
 * @param q as the visitor asked, which is what their clicks are counted under
 */
export function withPopularity(
  catalog: PopularityCatalog,
  storeId: string,
  { analyzer }: Pick<SearchView, 'analyzer'>,
  plan: SearchPlan,
  q: string,
): SearchPlan {
  const weight = weightOf(catalog, storeId)
  const isNamed = plan.sort.some(({ kind }) => kind === 'popularity') && !isUsualOrder(plan.sort)
  if ((weight === 0 && !isNamed) || plan.size === 0) return plan
  const popularity = popularityOf(catalog, storeId)
  if (popularity === undefined) return plan
  const { documents } = popularity.index
  const key = weight === 0 ? undefined : readQuery(q, analyzer)?.key
  const appeal = key === undefined ? NO_APPEAL : popularity.index.appealOf(key)
  return { ...plan, popularity: { documents, appeal, weight } }
}

/**
 * Which popularity decides the answer to a request, for the cache; empty when none does.
 *
 * @param orders whatever may become its order
 */
export function popularityVersion(
  catalog: PopularityCatalog,
  storeId: string,
  orders: readonly (SearchParameters['sort_by'] | SearchPlan['sort'])[],
): string {
  const { ranking = {} } = currentSettings(catalog, storeId).settings
  const mayCount =
    weightOf(catalog, storeId) > 0 || /popularity/.test(JSON.stringify([orders, ranking.sort_by]))
  if (!mayCount) return ''
  return String(popularityOf(catalog, storeId)?.version ?? '')
}

function weightOf(catalog: PopularityCatalog, storeId: string): number {
  return currentSettings(catalog, storeId).settings.ranking?.popularity_weight ?? 0
}

function popularityOf(catalog: PopularityCatalog, storeId: string): StorePopularity | undefined {
  const owner = catalog.registry.find(storeId)
  return owner === undefined ? undefined : catalog.suggestions.popularity(owner)
}

const NO_APPEAL: ReadonlyMap<number, number> = new Map()
