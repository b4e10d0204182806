import { Archive } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'

export function SnapshotsScreen(): ReactNode {
  return (
    <Page title="Snapshots" about="Copies of everything, to go back to.">
      <EmptyState icon={Archive} title="This page is being built">
        The interface and the command line can do all of it already.
      </EmptyState>
    </Page>
  )
}
