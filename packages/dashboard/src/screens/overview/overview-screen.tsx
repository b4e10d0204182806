import { LayoutDashboard } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'

export function OverviewScreen(): ReactNode {
  return (
    <Page title="Overview" about="How the store is doing, and what to do next.">
      <EmptyState icon={LayoutDashboard} title="This page is being built">
        The interface and the command line can do all of it already.
      </EmptyState>
    </Page>
  )
}
