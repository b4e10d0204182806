import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { ownValue } from '../../format/own-value.ts'
import { fieldExpression } from '../../format/quoting.ts'
import { useStore } from '../../session/store.ts'
import { useDebounced } from '../../state/clock.ts'

const VALUES_OFFERED = 8

export interface KnownValue {
  readonly value: string
  readonly count: number
}

/** The most frequent values of a facet that begin with what is typed. */
export function useKnownValues(
  field: string,
  typed: string,
  isEnabled = true,
): UseQueryResult<readonly KnownValue[]> {
  const { storeId, calls } = useStore()
  const settled = useDebounced(typed.trim())
  return useQuery({
    queryKey: ['documents', storeId, 'values', field, settled],
    queryFn: async () => {
      const { facets } = await calls.search({
        q: '*',
        per_page: 0,
        analytics: false,
        apply_rules: false,
        facet_by: [fieldExpression(field)],
        max_values: VALUES_OFFERED,
        ...(settled === '' ? {} : { facet_query: `${fieldExpression(field)}:${settled}` }),
      })
      const values = ownValue(facets, field)
      return Array.isArray(values) ? (values as KnownValue[]) : []
    },
    enabled: isEnabled,
  })
}
