import type { StoreClient } from '@aisle/client'
import { queryOptions } from '@tanstack/react-query'
import { schemaQuery } from '../../parts/store-queries.ts'
import type { ScreenStart } from '../../shell/screen.ts'
import { currentTimeMs } from '../../state/clock.ts'
import { dayOf, rangeOf, type DateRange } from '../../state/date-range.ts'

/** Rows of each list of queries. */
const TOP_QUERIES = 6
export const INITIAL_RANGE = '30d'
export const INITIAL_COMPARISON = 'previous'

/** The reports of the page. */
export function overviewQueries(
  storeId: string,
  calls: StoreClient,
  { from, toExclusive: to, compare }: Pick<DateRange, 'from' | 'toExclusive' | 'compare'>,
) {
  const parameters = { from, to, ...(compare === undefined ? {} : { compare }) }
  return {
    searches: queryOptions({
      queryKey: ['report', storeId, 'overview', parameters],
      queryFn: () => calls.report('overview', parameters),
    }),
    top: queryOptions({
      queryKey: ['report', storeId, 'top-queries', from, to],
      queryFn: () => calls.report('top-queries', { from, to, limit: TOP_QUERIES }),
    }),
    lost: queryOptions({
      queryKey: ['report', storeId, 'no-results', from, to, TOP_QUERIES],
      queryFn: () => calls.report('no-results', { from, to, limit: TOP_QUERIES }),
    }),
  }
}

export function beginOverview({ queries, storeId, calls, parameters }: ScreenStart): void {
  const given = (name: string, initial = ''): string => parameters.get(name) ?? initial
  const address = {
    name: given('range', INITIAL_RANGE),
    from: given('from'),
    to: given('to'),
    compare: given('compare', INITIAL_COMPARISON),
  }
  const range = rangeOf(address, dayOf(currentTimeMs()), INITIAL_RANGE)
  const { searches, top, lost } = overviewQueries(storeId, calls, range)
  void queries.prefetchQuery(searches)
  void queries.prefetchQuery(top)
  void queries.prefetchQuery(lost)
  void queries.prefetchQuery(schemaQuery(storeId, calls))
}
