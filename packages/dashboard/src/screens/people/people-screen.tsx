import { Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'

export function PeopleScreen(): ReactNode {
  return (
    <Page title="People" about="Who may log in, and what they may do.">
      <EmptyState icon={Users} title="This page is being built">
        The interface and the command line can do all of it already.
      </EmptyState>
    </Page>
  )
}
