import { Wand } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'

export function RulesScreen(): ReactNode {
  return (
    <Page title="Rules" about="Pin, hide and boost products for certain queries.">
      <EmptyState icon={Wand} title="This page is being built">
        The interface and the command line can do all of it already.
      </EmptyState>
    </Page>
  )
}
