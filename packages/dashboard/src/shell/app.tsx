import type { AisleClient } from '@aisle/client'
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { Suspense, useCallback, useState, type ReactNode } from 'react'
import { I18nProvider, RouterProvider } from 'react-aria-components'
import { useLocation } from 'wouter'
import { createQueryClient } from '../api/query-client.ts'
import { SessionProvider } from '../session/session-provider.tsx'
import { FaultBoundary } from './fault-boundary.tsx'
import { Frame } from './frame.tsx'
import { beginScreen, useScreens } from './screen.ts'

export function App(): ReactNode {
  const [path, navigate] = useLocation()
  const [queries] = useState(() => createQueryClient())
  const screens = useScreens()
  const OpenPage = screens.open[path]
  const begin = useCallback(
    (api: AisleClient, client: QueryClient) => beginScreen(screens, location, api, client),
    [screens],
  )
  return (
    <I18nProvider locale="en">
      <RouterProvider navigate={(to) => navigate(to)}>
        <FaultBoundary>
          <QueryClientProvider client={queries}>
            {OpenPage === undefined ? (
              <SessionProvider onBegin={begin}>
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
