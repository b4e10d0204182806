import { ApiError, FILTER_TIMEOUT_MS } from '@aisle/contract'
import { DeadlineReached, type FilterNode } from '@aisle/engine'
import {
  parseFilter,
  type FilterOptions,
  type Warn,
} from '../../domain/expressions/filter-parser.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import { ONE_TURN, type Turns } from '../../ports/search/turns.ts'
import type { ServicePorts } from '../service-ports.ts'
import { openView } from '../open-view.ts'
import { storeCollections } from '../store-collections.ts'

/** Documents that match a filter at one moment. */
export interface MatchingDocuments {
  readonly view: SearchView
  /** Ascending. */
  readonly docKeys: Float64Array
  /** Probable mistakes in the filter. */
  readonly warnings: readonly string[]
}

/** A `filter_by`, parsed for the store at one moment. */
export interface ParsedFilter {
  readonly view: SearchView
  readonly filter: FilterNode
  /** Probable mistakes in the filter. */
  readonly warnings: readonly string[]
}

/** @throws ApiError invalid_filter and related codes, store_not_found, unavailable */
export function parseDocumentsFilter(
  ports: Pick<ServicePorts, 'backend' | 'clock'>,
  storeId: string,
  filterBy: string,
  turns?: Turns,
): ParsedFilter {
  const view = openView(ports, storeId, turns)
  const warnings: string[] = []
  const warn: Warn = (warning) => warnings.push(warning)
  const dates = { nowMs: ports.clock.now(), timeZone: 'UTC' }
  return { view, filter: readFilter(filterBy, view, { warn, dates }), warnings }
}

/**
 * Finds the documents that match a `filter_by`, in the turns of the request. Scan them immediately:
 * versions that a later write replaces stay readable for a few seconds only.
 *
 * @throws ApiError invalid_filter and related codes, store_not_found, unavailable,
 * request_quarantined; filter_timeout
 */
export async function matchingDocuments(
  ports: Pick<ServicePorts, 'backend' | 'clock'>,
  storeId: string,
  filterBy: string,
  pace: FilterPace = ALONE,
): Promise<MatchingDocuments> {
  const { view, filter, warnings } = parseDocumentsFilter(ports, storeId, filterBy, pace)
  if (view.schema === undefined) return { view, docKeys: new Float64Array(), warnings }
  const { filterTimeoutMs = FILTER_TIMEOUT_MS } = pace
  pace.begin(`${storeId}\nfilter_by=${filterBy}`)
  try {
    const docKeys = await view.matchingKeys(filter, performance.now() + filterTimeoutMs)
    return { view, docKeys, warnings }
  } catch (error) {
    if (!(error instanceof DeadlineReached)) throw error
    const seconds = filterTimeoutMs / 1_000
    throw new ApiError(
      'filter_timeout',
      `Cannot find the documents of \`filter_by\` within ${seconds} s; nothing was changed. Use fewer conditions`,
      { param: 'filter_by' },
    )
  }
}

/** The turns of a request that finds documents by a filter, and its announcement to the watch. */
export interface FilterPace extends Turns {
  /** See `RequestPace`. */
  begin(work: string): void
  /** Tests use less. */
  readonly filterTimeoutMs?: number | undefined
}

const ALONE: FilterPace = { ...ONE_TURN, begin: () => undefined }

function readFilter(filterBy: string, view: SearchView, options: FilterOptions): FilterNode {
  if (filterBy.trim() === '') {
    // A client that sends an empty filter wanted to restrict the documents.
    throw new ApiError('invalid_filter', 'Parameter `filter_by` is empty; nothing was changed', {
      param: 'filter_by',
    })
  }
  const collections = storeCollections(view.resources)
  return parseFilter(filterBy, view.schema ?? { fields: [] }, view.analyzer, {
    ...options,
    collections,
  })
}
