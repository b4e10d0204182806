import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'

export function PreviewScreen(): ReactNode {
  return (
    <Page
      title="Preview"
      about="Search the store as a visitor does, with every control beside the results."
    >
      <EmptyState icon={Search} title="This page is being built">
        The interface and the command line can do all of it already.
      </EmptyState>
    </Page>
  )
}
