import { Package } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'

export function DocumentsScreen(): ReactNode {
  return (
    <Page title="Documents" about="The products of the store: find, change and delete them.">
      <EmptyState icon={Package} title="This page is being built">
        The interface and the command line can do all of it already.
      </EmptyState>
    </Page>
  )
}
