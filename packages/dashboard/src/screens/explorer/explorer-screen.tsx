import { Braces } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'

export function ExplorerScreen(): ReactNode {
  return (
    <Page title="API explorer" about="Every call of the interface, with your keys filled in.">
      <EmptyState icon={Braces} title="This page is being built">
        The interface and the command line can do all of it already.
      </EmptyState>
    </Page>
  )
}
