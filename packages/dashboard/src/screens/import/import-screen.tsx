import { Upload } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'

export function ImportScreen(): ReactNode {
  return (
    <Page title="Import" about="Bring products in from a file.">
      <EmptyState icon={Upload} title="This page is being built">
        The interface and the command line can do all of it already.
      </EmptyState>
    </Page>
  )
}
