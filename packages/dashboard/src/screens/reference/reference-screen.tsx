import { useEffect, useMemo, useState, type ReactNode } from 'react'
import { apiClient } from '../../api/api.ts'
import { OperationList } from '../../parts/operation-list.tsx'
import { operationsOf } from '../../parts/operations.ts'
import { useUrlState } from '../../state/url-state.ts'
import { LinkButton } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Mark } from '../../ui/mark.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { DescribedApi } from './described-api.ts'
import { OperationPage } from './operation-page.tsx'
import './reference.css'

/** `/docs/api`: the API as described by `/openapi.json`, for everybody, logged in or not. */
export function ReferenceScreen(): ReactNode {
  const [document, setDocument] = useState<DescribedApi>()
  const [error, setError] = useState<unknown>()
  const [chosen, choose] = useUrlState('operation', 'search')
  useEffect(() => {
    apiClient()
      .request<DescribedApi>({ method: 'GET', path: '/openapi.json' })
      .then(setDocument, setError)
  }, [])
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
          about="Every call of the interface: what it takes, what it answers, and who may call it."
          width="full"
          actions={
            <LinkButton to={`/explorer?operation=${chosen}`}>Try it in the explorer</LinkButton>
          }
        >
          {error !== undefined ? (
            <ErrorState error={error} onRetry={() => location.reload()} />
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
