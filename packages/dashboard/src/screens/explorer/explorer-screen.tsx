import { useQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { useApi } from '../../api/api.ts'
import { useCurrentStoreId, useStores } from '../../session/store.ts'
import { useUrlState } from '../../state/url-state.ts'
import { Select } from '../../ui/choice.tsx'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import { Page } from '../../ui/page.tsx'
import { OperationForm } from './operation-form.tsx'
import { OperationList } from '../../parts/operation-list.tsx'
import { operationsOf, type OpenApi } from '../../parts/operations.ts'
import './explorer.css'

/** Every operation of the API: filled in, sent with the page's session, with its response. */
export function ExplorerScreen(): ReactNode {
  const api = useApi()
  const stores = useStores()
  const current = useCurrentStoreId()
  const [chosenStore, chooseStore] = useUrlState('store', current ?? '')
  const [chosen, choose] = useUrlState('operation', 'search')
  const document = useQuery({
    queryKey: ['openapi'],
    queryFn: () => api.request<OpenApi>({ method: 'GET', path: '/openapi.json' }),
    staleTime: Infinity,
  })
  const operations = useMemo(
    () => (document.data === undefined ? undefined : operationsOf(document.data)),
    [document.data],
  )
  const operation = operations?.find(({ id }) => id === chosen) ?? operations?.[0]
  const storeId = chosenStore === '' ? undefined : chosenStore
  return (
    <Page
      title="API explorer"
      about="Every operation of the API. Requests are sent with your session and take effect."
      actions={
        stores.data !== undefined &&
        storeId !== undefined && (
          <div className="explorer-store">
            <Select
              label="Store"
              isLabelHidden
              options={stores.data.map(({ store_id: value, name }) => ({
                value,
                label: name,
                about: value,
              }))}
              value={storeId}
              onChange={chooseStore}
            />
          </div>
        )
      }
    >
      {document.isError ? (
        <ErrorState error={document.error} onRetry={() => void document.refetch()} />
      ) : operations === undefined || operation === undefined ? (
        <Skeleton height={480} />
      ) : (
        <div className="operation-columns">
          <OperationList operations={operations} chosen={operation} onChoose={choose} />
          <OperationForm
            key={`${operation.id} ${storeId}`}
            operation={operation}
            storeId={storeId}
            onChoose={choose}
          />
        </div>
      )}
    </Page>
  )
}
