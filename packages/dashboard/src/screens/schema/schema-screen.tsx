import { Table2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'

export function SchemaScreen(): ReactNode {
  return (
    <Page title="Schema" about="The fields of a product, and what each is for.">
      <EmptyState icon={Table2} title="This page is being built">
        The interface and the command line can do all of it already.
      </EmptyState>
    </Page>
  )
}
