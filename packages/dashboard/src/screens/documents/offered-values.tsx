import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatNumber } from '../../format/numbers.ts'
import { ownValue } from '../../format/own-value.ts'
import { fieldExpression } from '../../format/quoting.ts'
import { useStore } from '../../session/store.ts'
import { useDebounced } from '../../state/clock.ts'

const VALUES_OFFERED = 8

/** The most frequent values, and how many products have each. */
export function OfferedValues({
  field,
  typed,
  onChoose,
}: {
  readonly field: string
  readonly typed: string
  readonly onChoose: (value: string) => void
}): ReactNode {
  const { storeId, calls } = useStore()
  const settled = useDebounced(typed.trim())
  const { data } = useQuery({
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
      return ownValue(facets, field)
    },
  })
  if (!Array.isArray(data) || data.length === 0) return null
  return (
    <ul className="documents-values" aria-label={`Values of ${field}`}>
      {data.map(({ value, count }: { value: string; count: number }) => (
        <li key={value}>
          <button type="button" className="documents-value" onClick={() => onChoose(value)}>
            <span className="cut">{value}</span>
            <span className="muted number small">{formatNumber(count)}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
