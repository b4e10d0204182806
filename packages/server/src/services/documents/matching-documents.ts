import { ApiError } from '@aisle/contract'
import type { FilterNode } from '@aisle/engine'
import {
  parseFilter,
  type FilterOptions,
  type Warn,
} from '../../domain/expressions/filter-parser.ts'
import { andThen } from '../../ports/awaitable.ts'
import type { Awaitable } from '../../ports/awaitable.ts'
import type { SearchView } from '../../ports/search-backend.ts'
import type { ServicePorts } from '../service-ports.ts'
import { openView } from '../open-view.ts'

/** Documents that meet a filter, at one moment. */
export interface MatchingDocuments {
  readonly view: SearchView
  /** Ascending. */
  readonly docKeys: Float64Array
  /** Probable mistakes in the filter. */
  readonly warnings: readonly string[]
}

/**
 * Finds the documents that meet a `filter_by`. They can be scanned in the turn of the event loop in
 * which they are found.
 *
 * @throws ApiError invalid_filter and related codes, store_not_found, unavailable
 */
export function matchingDocuments(
  ports: Pick<ServicePorts, 'backend' | 'clock'>,
  storeId: string,
  filterBy: string,
): Awaitable<MatchingDocuments> {
  const view = openView(ports, storeId)
  const warnings: string[] = []
  const warn: Warn = (warning) => warnings.push(warning)
  const dates = { nowMs: ports.clock.now(), timeZone: 'UTC' }
  const filter = readFilter(filterBy, view, { warn, dates })
  const found = view.schema === undefined ? new Float64Array() : view.matchingKeys(filter)
  return andThen(found, (docKeys) => ({ view, docKeys, warnings }))
}

function readFilter(filterBy: string, view: SearchView, options: FilterOptions): FilterNode {
  if (filterBy.trim() === '') {
    // A client that sends an empty filter meant to restrict the documents.
    throw new ApiError('invalid_filter', 'Parameter `filter_by` is empty; nothing was changed', {
      param: 'filter_by',
    })
  }
  return parseFilter(filterBy, view.schema ?? { fields: [] }, view.analyzer, options)
}
