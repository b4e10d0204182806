import { Settings } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'

export function SettingsScreen(): ReactNode {
  return (
    <Page title="Settings" about="Language, popularity, limits, and the name of the store.">
      <EmptyState icon={Settings} title="This page is being built">
        The interface and the command line can do all of it already.
      </EmptyState>
    </Page>
  )
}
