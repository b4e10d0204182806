import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useState, type ReactNode } from 'react'
import { I18nProvider, RouterProvider } from 'react-aria-components'
import { useLocation } from 'wouter'
import { createQueryClient } from '../api/query-client.ts'
import { SessionProvider } from '../session/session-provider.tsx'
import { FaultBoundary } from './fault-boundary.tsx'
import { Frame } from './frame.tsx'
import { useScreens } from './screen.ts'

export function App(): ReactNode {
  const [path, navigate] = useLocation()
  const [queries] = useState(() => createQueryClient())
  const OpenPage = useScreens().open[path]
  return (
    <I18nProvider locale="en">
      <RouterProvider navigate={(to) => navigate(to)}>
        <FaultBoundary>
          <QueryClientProvider client={queries}>
            {OpenPage === undefined ? (
              <SessionProvider>
                <Frame />
              </SessionProvider>
            ) : (
              <Suspense>
                <OpenPage />
              </Suspense>
            )}
          </QueryClientProvider>
        </FaultBoundary>
      </RouterProvider>
    </I18nProvider>
  )
}
