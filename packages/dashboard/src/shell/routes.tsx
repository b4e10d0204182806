import { useQuery } from '@tanstack/react-query'
import { Compass } from 'lucide-react'
import { Suspense, useMemo, type ReactNode } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { RefusedError } from '@aisle/client'
import { useApi } from '../api/api.ts'
import { useScreens, type Screen } from './screen.ts'
import { ROLE_HINTS, useMay } from '../session/session.ts'
import { LinkButton } from '../ui/button.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '../ui/states.tsx'
import { Page } from '../ui/page.tsx'
import {
  useCurrentStoreId,
  storePath,
  StoreContext,
  storeQuery,
  useStores,
} from '../session/store.ts'
import { FaultBoundary } from './fault-boundary.tsx'

/** Selects the screen of an address. */
export function Routes(): ReactNode {
  const { store, service, foot } = useScreens()
  return (
    <Switch>
      <Route path="/">
        <Home />
      </Route>
      <Route path="/login">
        <Redirect to="/" replace />
      </Route>
      {[...service, ...foot].map((one) => (
        <Route key={one.path} path={`/${one.path}`}>
          <Shown screen={one} />
        </Route>
      ))}
      <Route path="/stores/:storeId">
        {({ storeId }) => <Redirect to={storePath(decodeURIComponent(storeId))} replace />}
      </Route>
      {store
        .flatMap(({ screens }) => screens)
        .map((one) => (
          <Route key={one.path} path={`/stores/:storeId/${one.path}/*?`}>
            {({ storeId }) => (
              <StoreScope key={storeId} storeId={storeId}>
                <Shown screen={one} />
              </StoreScope>
            )}
          </Route>
        ))}
      <Route>
        <NotFound />
      </Route>
    </Switch>
  )
}

/** Redirects to where the person was last. */
function Home(): ReactNode {
  const { isPending, error, refetch } = useStores()
  const storeId = useCurrentStoreId()
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (isPending) return null
  return <Redirect to={storeId === undefined ? '/stores' : storePath(storeId)} replace />
}

function Shown({
  screen: { component: Content, label, role },
}: {
  readonly screen: Screen
}): ReactNode {
  const mayOpen = useMay(role)
  const [path] = useLocation()
  if (!mayOpen) {
    return (
      <Page width="reading" title={label}>
        <EmptyState icon={Compass} title="You don't have access to this page">
          {ROLE_HINTS[role].replace('change', 'see')}.
        </EmptyState>
      </Page>
    )
  }
  return (
    <FaultBoundary key={path}>
      <Suspense fallback={<Waiting />}>
        <Content />
      </Suspense>
    </FaultBoundary>
  )
}

function StoreScope({
  storeId,
  children,
}: {
  readonly storeId: string
  readonly children: ReactNode
}): ReactNode {
  const api = useApi()
  const { data: summary, error, refetch } = useQuery(storeQuery(api, storeId))
  const calls = useMemo(() => api.store(storeId), [api, storeId])
  const state = useMemo(
    () => (summary === undefined ? undefined : { storeId, summary, calls }),
    [storeId, summary, calls],
  )
  if (state !== undefined) {
    return <StoreContext.Provider value={state}>{children}</StoreContext.Provider>
  }
  if (error instanceof RefusedError && error.status === 404) {
    return (
      <Page width="reading" title="Store not found">
        <EmptyState
          icon={Compass}
          title={`No store “${storeId}”`}
          action={<LinkButton to="/stores">Show all stores</LinkButton>}
        >
          It was deleted, or the link belongs to another service.
        </EmptyState>
      </Page>
    )
  }
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  return <Waiting />
}

function Waiting(): ReactNode {
  return (
    <div className="page page-reading">
      <SkeletonLines count={5} />
    </div>
  )
}

function NotFound(): ReactNode {
  return (
    <Page width="reading" title="Page not found">
      <EmptyState
        icon={Compass}
        title="Nothing at this address"
        action={<LinkButton to="/">Go to the home page</LinkButton>}
      />
    </Page>
  )
}
