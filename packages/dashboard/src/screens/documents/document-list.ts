import type { SearchParameters, StoreSchema } from '@aisle/contract'
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useStore } from '../../session/store.ts'
import { useDebounced } from '../../state/clock.ts'
import { useUrlChange, useUrlState } from '../../state/url-state.ts'
import { parseSort } from '../../ui/table-model.ts'
import { documentRequest, documentsQuery, type DocumentPage } from './document-request.ts'
import { clausesText, filterExpression, parseClauses, type FilterClause } from './filter-clauses.ts'

/** Which products are shown; the address has all of it. */
export interface DocumentQuery {
  readonly q: string
  readonly setQ: (q: string) => void
  readonly clauses: readonly FilterClause[]
  readonly setClauses: (clauses: readonly FilterClause[]) => void
  readonly page: number
  readonly setPage: (page: number) => void
  /** `filter_by` of the clauses; empty without any. */
  readonly filterBy: string
  readonly request: SearchParameters
}

export function useDocumentQuery(schema: StoreSchema): DocumentQuery {
  const [q, setQText] = useUrlState('q', '', { isTyped: true })
  const [filtersInUrl] = useUrlState('filters')
  const [pageInUrl] = useUrlState('page', '1')
  const [sortInUrl] = useUrlState('sort')
  const change = useUrlChange()
  const clauses = useMemo(() => parseClauses(filtersInUrl), [filtersInUrl])
  const page = Math.max(1, Math.trunc(Number(pageInUrl)) || 1)
  const settledQ = useDebounced(q)
  const filterBy = filterExpression(clauses, schema)
  const sort = parseSort(sortInUrl)
  const isSortable = schema.fields.some(({ name, sort: may }) => may && name === sort?.columnId)
  const sortBy =
    sort === undefined || !isSortable
      ? undefined
      : `${sort.columnId}:${sort.isDescending ? 'desc' : 'asc'}`
  return {
    q,
    setQ: (next) => {
      if (page > 1) change({ page: undefined })
      setQText(next)
    },
    clauses,
    setClauses: (next) => change({ filters: clausesText(next), page: undefined }),
    page,
    setPage: (next) => change({ page: next === 1 ? undefined : String(next) }),
    filterBy,
    request: documentRequest({ q: settledQ, page, filterBy, sortBy }),
  }
}

export function useDocuments(request: SearchParameters): UseQueryResult<DocumentPage> {
  const { storeId, calls } = useStore()
  return useQuery({
    ...documentsQuery(storeId, calls, request),
    placeholderData: keepPreviousData,
  })
}
