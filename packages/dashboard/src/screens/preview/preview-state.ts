import type { SearchParameters, SearchResponse, StoreSchema } from '@aisle/contract'
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { useStore } from '../../session/store.ts'
import { useUrlChange, useUrlState } from '../../state/url-state.ts'
import { isInitial, parameterText, type GivenParameters } from '../../parts/parameter-text.ts'
import type { ParameterName, StoreDefaults } from '../../parts/parameters.ts'
import { useSettings } from '../../parts/store-queries.ts'
import { usePreviewVisitor, type Visitor } from './preview-visitor.tsx'
import { givenParameters, previewRequest } from './request-text.ts'

export interface PreviewState {
  readonly q: string
  readonly setQ: (q: string) => void
  readonly given: GivenParameters
  /** What is sent, apart from `analytics: false`. */
  readonly request: SearchParameters
  /**
   * Sets a parameter; `undefined` restores its default. A changed search starts on its first page.
   */
  readonly set: (name: ParameterName, value: unknown) => void
  readonly reset: () => void
  /** Who searches; undefined: nobody in particular. */
  readonly visitor: Visitor | undefined
}

/** The search of this page. The address has all of it, as in the URL of a search. */
export function usePreview(schema: StoreSchema | undefined): PreviewState {
  const [address] = useSearchParams()
  const [q, setQText] = useUrlState('q', '', { isTyped: true })
  const change = useUrlChange()
  const visitor = usePreviewVisitor()
  const defaults = useSettings().data?.ranking
  const given = useMemo(() => givenParameters(address), [address])
  const facetFields = useMemo(() => (schema?.fields ?? []).filter(({ facet }) => facet), [schema])
  const request = useMemo(() => previewRequest(q, given, facetFields), [q, given, facetFields])
  return {
    q,
    setQ: (next) => {
      if (given.page !== undefined) change({ page: undefined })
      setQText(next)
    },
    given,
    request,
    visitor: visitor.visitor,
    set: (name, value) =>
      change({
        ...(name === 'page' ? {} : { page: undefined, hit: undefined, with: undefined }),
        [name]:
          value === undefined || isDropped(name, value, defaults)
            ? undefined
            : parameterText(value),
      }),
    reset: () => change(Object.fromEntries(Object.keys(given).map((name) => [name, undefined]))),
  }
}

/** These have another default in the preview than in a search, so even the default is sent. */
function isDropped(
  name: ParameterName,
  value: unknown,
  defaults: StoreDefaults | undefined,
): boolean {
  return name !== 'facet_mode' && name !== 'per_page' && isInitial(name, value, defaults)
}

const TASTE_RETRY_MS = 500
const TASTE_TRIES_MAX = 10

/** Responses of searches that are not counted. @param isWanted false: do not search yet */
export function useAnswer(
  request: SearchParameters,
  visitor: Visitor | undefined,
  isWanted = true,
): UseQueryResult<SearchResponse> {
  const { storeId, calls } = useStore()
  return useQuery({
    queryKey: ['search', storeId, request, visitor],
    queryFn: () => calls.search({ ...request, analytics: false }, { visitor }),
    placeholderData: keepPreviousData,
    enabled: isWanted,
    // A taste that was not ready is when it is asked for again.
    refetchInterval: ({ state }) =>
      state.data?.personalized?.skipped !== undefined && state.dataUpdateCount < TASTE_TRIES_MAX
        ? TASTE_RETRY_MS
        : false,
  })
}
