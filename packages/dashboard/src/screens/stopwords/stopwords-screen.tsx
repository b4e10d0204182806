import { Ban } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'

export function StopwordsScreen(): ReactNode {
  return (
    <Page title="Stop words" about="Words that a query does not need.">
      <EmptyState icon={Ban} title="This page is being built">
        The interface and the command line can do all of it already.
      </EmptyState>
    </Page>
  )
}
