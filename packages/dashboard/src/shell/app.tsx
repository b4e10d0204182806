import { lazy, Suspense, type ReactNode } from 'react'
import { I18nProvider, RouterProvider } from 'react-aria-components'
import { useLocation } from 'wouter'
import { SessionProvider } from '../session/session-provider.tsx'
import { FaultBoundary } from './fault-boundary.tsx'
import { Frame } from './frame.tsx'
import { FIRST_RUN_PATH, REFERENCE_PATH } from './paths.ts'

/** Pages for visitors without a session, each a chunk of its own. */
const OPEN_PAGES = {
  [FIRST_RUN_PATH]: lazy(async () => ({
    default: (await import('../screens/first-run/first-run-screen.tsx')).FirstRunScreen,
  })),
  [REFERENCE_PATH]: lazy(async () => ({
    default: (await import('../screens/reference/reference-screen.tsx')).ReferenceScreen,
  })),
}

export function App(): ReactNode {
  const [path, navigate] = useLocation()
  const OpenPage = (OPEN_PAGES as Record<string, (typeof OPEN_PAGES)[typeof REFERENCE_PATH]>)[path]
  return (
    <I18nProvider locale="en">
      <RouterProvider navigate={(to) => navigate(to)}>
        <FaultBoundary>
          {OpenPage === undefined ? (
            <SessionProvider>
              <Frame />
            </SessionProvider>
          ) : (
            <Suspense>
              <OpenPage />
            </Suspense>
          )}
        </FaultBoundary>
      </RouterProvider>
    </I18nProvider>
  )
}
