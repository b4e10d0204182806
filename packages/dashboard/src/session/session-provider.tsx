import type { AisleClient, CurrentSession } from '@aisle/client'
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useEffect, useMemo, useState, type ReactNode } from 'react'
import { ApiContext, apiClient, isLoggedOut } from '../api/api.ts'
import { createQueryClient } from '../api/query-client.ts'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorState } from '../ui/states.tsx'
import { SessionContext } from './session.ts'

/** Loaded only without a session. */
const LoginScreen = lazy(async () => ({
  default: (await import('./login-screen.tsx')).LoginScreen,
}))
const LoginForm = lazy(async () => ({ default: (await import('./login-form.tsx')).LoginForm }))

type Phase =
  | { readonly kind: 'asking' }
  | { readonly kind: 'unreachable'; readonly error: unknown }
  | { readonly kind: 'out' }
  | { readonly kind: 'in'; readonly session: CurrentSession; readonly isOver: boolean }

/**
 * Everything below it has a session. If the session ends while somebody works, the page keeps
 * everything typed, and a dialog asks to log in again.
 */
export function SessionProvider({
  onBegin,
  children,
}: {
  /** Hears of the session that the page opens with, before anything is drawn. */
  readonly onBegin: (api: AisleClient, queries: QueryClient) => void
  readonly children: ReactNode
}): ReactNode {
  const [phase, setPhase] = useState<Phase>({ kind: 'asking' })
  const [queries] = useState(() =>
    createQueryClient((error) => {
      if (!isLoggedOut(error)) return
      setPhase((now) => (now.kind === 'in' ? { ...now, isOver: true } : now))
    }),
  )

  const ask = useCallback(
    () =>
      apiClient()
        .session()
        .then(
          (session) => {
            onBegin(apiClient(session.csrf_token), queries)
            setPhase({ kind: 'in', session, isOver: false })
          },
          (error: unknown) =>
            setPhase(isLoggedOut(error) ? { kind: 'out' } : { kind: 'unreachable', error }),
        ),
    [onBegin, queries],
  )
  useEffect(() => void ask(), [ask])

  const session = phase.kind === 'in' ? phase.session : undefined
  const renew = useCallback(
    (next: CurrentSession) => {
      // Another person's data must not be shown to this one.
      if (session !== undefined && session.login !== next.login) queries.clear()
      setPhase({ kind: 'in', session: next, isOver: false })
      void queries.invalidateQueries()
    },
    [session, queries],
  )
  const api = useMemo(() => apiClient(session?.csrf_token), [session?.csrf_token])
  const logOut = useCallback(async () => {
    await api.logOut().catch(() => undefined)
    queries.clear()
    sessionStorage.clear()
    setPhase({ kind: 'out' })
  }, [api, queries])
  const state = useMemo(
    () => (session === undefined ? undefined : { session, logOut, renew }),
    [session, logOut, renew],
  )

  if (phase.kind === 'asking') return null
  if (phase.kind === 'unreachable') {
    return (
      <main className="login-page">
        <ErrorState error={phase.error} onRetry={() => void ask()} />
      </main>
    )
  }
  if (phase.kind === 'out') {
    return (
      <Suspense>
        <LoginScreen onLoggedIn={renew} />
      </Suspense>
    )
  }
  return (
    <QueryClientProvider client={queries}>
      <ApiContext.Provider value={api}>
        <SessionContext.Provider value={state}>
          {children}
          <Dialog
            title="Log in again"
            isOpen={phase.isOver}
            onClose={() => undefined}
            width="narrow"
            isFirm
          >
            <p className="muted">Your session has expired. Your input is kept.</p>
            <Suspense>
              <LoginForm knownLogin={phase.session.login} onLoggedIn={renew} />
            </Suspense>
          </Dialog>
        </SessionContext.Provider>
      </ApiContext.Provider>
    </QueryClientProvider>
  )
}
