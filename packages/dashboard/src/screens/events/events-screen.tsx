import { Activity } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'

export function EventsScreen(): ReactNode {
  return (
    <Page title="Events" about="What your shop sends, as it arrives.">
      <EmptyState icon={Activity} title="This page is being built">
        The interface and the command line can do all of it already.
      </EmptyState>
    </Page>
  )
}
