import { useMemo, type ReactNode } from 'react'
import { apiClient } from '../../api/api.ts'
import { OperationList } from '../../parts/operation-list.tsx'
import { operationsOf } from '../../parts/operations.ts'
import { useUrlState } from '../../state/url-state.ts'
import { LinkButton } from '../../ui/button.tsx'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import { Mark } from '../../ui/mark.tsx'
import { Page } from '../../ui/page.tsx'
import type { DescribedApi } from './described-api.ts'
import { OperationPage } from './operation-page.tsx'
import { useQuery } from '@tanstack/react-query'
import './reference.css'

/** `/docs/api`: the API as described by `/openapi.json`, for everybody, logged in or not. */
export function ReferenceScreen(): ReactNode {
  const [chosen, choose] = useUrlState('operation', 'search')
  const {
    data: document,
    error,
    refetch,
  } = useQuery({
    queryKey: ['openapi'],
    queryFn: () => apiClient().request<DescribedApi>({ method: 'GET', path: '/openapi.json' }),
    staleTime: Infinity,
  })
  const operations = useMemo(
    () => (document === undefined ? undefined : operationsOf(document)),
    [document],
  )
  const operation = operations?.find(({ id }) => id === chosen) ?? operations?.[0]
  return (
    <div className="reference">
      <header className="reference-bar">
        <a href="/" className="row reference-home">
          <Mark size={24} />
          <span className="strong">Aisle</span>
        </a>
        <a href="/openapi.json" className="small">
          openapi.json
        </a>
      </header>
      <main>
        <Page
          title="API reference"
          about="Every API operation: parameters, responses, and who may call it."
          actions={
            <LinkButton to={`/explorer?operation=${chosen}`}>Try it in the explorer</LinkButton>
          }
        >
          {error !== null ? (
            <ErrorState error={error} onRetry={() => void refetch()} />
          ) : document === undefined || operations === undefined || operation === undefined ? (
            <Skeleton height={480} />
          ) : (
            <div className="operation-columns">
              <OperationList operations={operations} chosen={operation} onChoose={choose} />
              <OperationPage key={operation.id} operation={operation} document={document} />
            </div>
          )}
        </Page>
      </main>
    </div>
  )
}
