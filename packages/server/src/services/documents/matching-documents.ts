import { ApiError } from '@aisle/contract'
import type { FilterNode } from '@aisle/engine'
import {
  parseFilter,
  type FilterOptions,
  type Warn,
} from '../../domain/expressions/filter-parser.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import type { ServicePorts } from '../service-ports.ts'
import { openView } from '../open-view.ts'

/** Documents that match a filter at one moment. */
export interface MatchingDocuments {
  readonly view: SearchView
  /** Ascending. */
  readonly docKeys: Float64Array
  /** Probable mistakes in the filter. */
  readonly warnings: readonly string[]
}

/**
 * Finds the documents that match a `filter_by`. Scan them immediately: versions that a later write
 * replaces stay readable for a few seconds only.
 *
 * @throws ApiError invalid_filter and related codes, store_not_found, unavailable
 */
export async function matchingDocuments(
  ports: Pick<ServicePorts, 'backend' | 'clock'>,
  storeId: string,
  filterBy: string,
): Promise<MatchingDocuments> {
  const view = openView(ports, storeId)
  const warnings: string[] = []
  const warn: Warn = (warning) => warnings.push(warning)
  const dates = { nowMs: ports.clock.now(), timeZone: 'UTC' }
  const filter = readFilter(filterBy, view, { warn, dates })
  const docKeys = view.schema === undefined ? new Float64Array() : await view.matchingKeys(filter)
  return { view, docKeys, warnings }
}

function readFilter(filterBy: string, view: SearchView, options: FilterOptions): FilterNode {
  if (filterBy.trim() === '') {
    // A client that sends an empty filter wanted to restrict the documents.
    throw new ApiError('invalid_filter', 'Parameter `filter_by` is empty; nothing was changed', {
      param: 'filter_by',
    })
  }
  return parseFilter(filterBy, view.schema ?? { fields: [] }, view.analyzer, options)
}
