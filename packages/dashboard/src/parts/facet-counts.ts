import type { FacetCounts, StoreSchema } from '@aisle/contract'
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useStore } from '../session/store.ts'

/** Values of each facet that are counted. */
const VALUES_COUNTED = 250

export type FacetCount = FacetCounts[number]

/** The values of facets with their counts, for a query. */
export function useFacetCounts(q: string, isEnabled = true): UseQueryResult<readonly FacetCount[]> {
  const { storeId, calls } = useStore()
  const query = q.trim() === '' ? '*' : q.trim()
  return useQuery({
    queryKey: ['search', storeId, 'facets', query],
    queryFn: async () => {
      const { facet_counts: counts = [] } = await calls.search({
        q: query,
        per_page: 0,
        analytics: false,
        apply_rules: false,
        facet_by: '*',
        max_values: VALUES_COUNTED,
      })
      return counts
    },
    placeholderData: keepPreviousData,
    enabled: isEnabled,
  })
}

/** Numbers and dates are shown as a range, which has no values to arrange. */
export function isRange({ fields }: StoreSchema, name: string): boolean {
  const type = fields.find((one) => one.name === name)?.type ?? 'string'
  return /^(int|float|date)/.test(type)
}
