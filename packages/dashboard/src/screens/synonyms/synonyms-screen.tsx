import { ArrowLeftRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'

export function SynonymsScreen(): ReactNode {
  return (
    <Page title="Synonyms" about="Words that mean the same to your visitors.">
      <EmptyState icon={ArrowLeftRight} title="This page is being built">
        The interface and the command line can do all of it already.
      </EmptyState>
    </Page>
  )
}
