import { ApiError } from '@aisle/contract'
import type { Schema } from '@aisle/engine'
import type { SearchView } from '../ports/search/search-backend.ts'
import type { Turns } from '../ports/search/turns.ts'
import type { ServicePorts } from './service-ports.ts'

export const NO_SCHEMA: Schema = { fields: [] }

/**
 * @param turns of a request that searches
 * @throws ApiError store_not_found, unavailable
 */
export function openView(
  { backend }: Pick<ServicePorts, 'backend'>,
  storeId: string,
  turns?: Turns,
): SearchView {
  const view = backend.view(storeId, turns)
  if (view === undefined) throw storeNotFound()
  return view
}

export function storeNotFound(): ApiError {
  return new ApiError('store_not_found', 'There is no store with this id')
}
