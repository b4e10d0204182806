import { ChartLine } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'

export function AnalyticsScreen(): ReactNode {
  return (
    <Page title="Analytics" about="What visitors searched for, clicked and bought.">
      <EmptyState icon={ChartLine} title="This page is being built">
        The interface and the command line can do all of it already.
      </EmptyState>
    </Page>
  )
}
