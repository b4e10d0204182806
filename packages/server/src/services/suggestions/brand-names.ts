import type { CatalogName } from '@aisle/suggestions'
import { namesOf, planNames } from '../../domain/suggestions/catalog-names.ts'
import type { SearchBackend } from '../../ports/search/search-backend.ts'
import { cardOf } from './product-cards.ts'

/** Returns brands and categories of the documents of a store; undefined without documents. */
export async function brandNames(
  backend: SearchBackend,
  storeId: string,
): Promise<CatalogName[] | undefined> {
  const view = backend.view(storeId)
  if (view?.schema === undefined) return undefined
  const { schema, analyzer } = view
  const plan = planNames(cardOf(view), { schema, analyzer, nowMs: performance.now() })
  return plan === undefined ? [] : namesOf(await view.search(plan))
}
