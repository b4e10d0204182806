import { CircleUser } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'

export function AccountScreen(): ReactNode {
  return (
    <Page title="Your account" about="Your password and your sessions.">
      <EmptyState icon={CircleUser} title="This page is being built">
        The interface and the command line can do all of it already.
      </EmptyState>
    </Page>
  )
}
