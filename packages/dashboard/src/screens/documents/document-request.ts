import type { SearchParameters } from '@aisle/contract'
import type { StoreClient } from '@aisle/client'
import { queryOptions } from '@tanstack/react-query'
import { hitsOf } from '../../parts/hits.ts'
import { beginWithFields } from '../../parts/store-queries.ts'
import type { ScreenStart } from '../../shell/screen.ts'

export const PAGE_ROWS = 100

export interface DocumentRow {
  readonly id: string
  readonly fields: Readonly<Record<string, unknown>>
}

export interface DocumentPage {
  readonly rows: readonly DocumentRow[]
  readonly found: number
  readonly pageCount: number
}

/** The search behind the list of products. */
export function documentRequest({
  q = '',
  page = 1,
  filterBy = '',
  sortBy,
}: {
  readonly q?: string
  readonly page?: number
  /** Empty without any filter. */
  readonly filterBy?: string
  readonly sortBy?: string | undefined
}): SearchParameters {
  return {
    q: q === '' ? '*' : q,
    page,
    per_page: PAGE_ROWS,
    // The shop's own staff look for what exists: no rules, no marks, no counts.
    apply_rules: false,
    analytics: false,
    // Every variant of a product, whatever the store groups by.
    group_by: [],
    ...(filterBy === '' ? {} : { filter_by: filterBy }),
    ...(sortBy === undefined ? {} : { sort_by: sortBy }),
  }
}

export function documentsQuery(storeId: string, calls: StoreClient, request: SearchParameters) {
  return queryOptions({
    queryKey: ['documents', storeId, request],
    queryFn: async (): Promise<DocumentPage> => {
      const answer = await calls.search(request)
      const rows = hitsOf(answer).map(({ id, document }) => ({ id, fields: document }))
      return { rows, found: answer.found, pageCount: answer.total_pages }
    },
  })
}

/** A filter or an order needs the schema; any other address is searched at once. */
export function beginDocuments(start: ScreenStart): void {
  const { queries, storeId, calls, parameters } = start
  beginWithFields(start)
  if (['q', 'page', 'filters', 'sort'].some((name) => parameters.has(name))) return
  void queries.prefetchQuery(documentsQuery(storeId, calls, documentRequest({})))
}
