import { LEARNING_LIMIT_DEFAULT } from '@aisle/contract'
import type { SearchPlan } from '@aisle/engine'
import { readQuery } from '@aisle/suggestions'
import type { SearchView } from '../../ports/search/search-backend.ts'
import { currentSettings } from '../store/store-settings.ts'
import { popularityOf, type PopularityPorts } from './plan-popularity.ts'

/**
 * Adds what clicks have taught about a query, if the store learns: docs/learning.md.
 *
 * @param q the query as the visitor typed it, because clicks are counted under that
 */
export function withLearning(
  ports: PopularityPorts,
  storeId: string,
  { analyzer, resources, content }: Pick<SearchView, 'analyzer' | 'resources' | 'content'>,
  plan: SearchPlan,
  q: string,
): SearchPlan {
  const { ranking = {} } = currentSettings(resources).settings
  if (ranking.learning !== 'on' || plan.size === 0 || plan.slots.length === 0) return plan
  const learned = popularityOf(ports, storeId)
  // Applies after a swap, until there is something about the store's current documents.
  if (learned === undefined || learned.content !== content) return plan
  const key = readQuery(q, analyzer)?.key
  if (key === undefined) return plan
  const documents = learned.index.learnedOf(key)
  if (documents.size === 0) return plan
  return {
    ...plan,
    learning: { documents, limit: ranking.learning_limit ?? LEARNING_LIMIT_DEFAULT },
  }
}
