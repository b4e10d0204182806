import type { ReactNode } from 'react'
import { I18nProvider, RouterProvider } from 'react-aria-components'
import { useLocation } from 'wouter'
import { SessionProvider } from '../session/session-provider.tsx'
import { FaultBoundary } from './fault-boundary.tsx'
import { Frame } from './frame.tsx'
import { FIRST_RUN_PATH } from './paths.ts'
import { FirstRunScreen } from '../screens/first-run/first-run-screen.tsx'

export function App(): ReactNode {
  const [path, navigate] = useLocation()
  return (
    <I18nProvider locale="en">
      <RouterProvider navigate={(to) => navigate(to)}>
        <FaultBoundary>
          {path === FIRST_RUN_PATH ? (
            <FirstRunScreen />
          ) : (
            <SessionProvider>
              <Frame />
            </SessionProvider>
          )}
        </FaultBoundary>
      </RouterProvider>
    </I18nProvider>
  )
}
