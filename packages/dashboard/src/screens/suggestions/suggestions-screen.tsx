import { TextSearch } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'

export function SuggestionsScreen(): ReactNode {
  return (
    <Page title="Suggestions" about="What is offered while a visitor types.">
      <EmptyState icon={TextSearch} title="This page is being built">
        The interface and the command line can do all of it already.
      </EmptyState>
    </Page>
  )
}
