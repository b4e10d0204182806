import { ScrollText } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'

export function AuditScreen(): ReactNode {
  return (
    <Page title="Audit" about="Who changed what, when, and from where.">
      <EmptyState icon={ScrollText} title="This page is being built">
        The interface and the command line can do all of it already.
      </EmptyState>
    </Page>
  )
}
