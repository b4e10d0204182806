import { Scale } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'

export function RelevanceScreen(): ReactNode {
  return (
    <Page
      title="Relevance"
      about="Try other settings beside the live ones, over many queries, and publish what is better."
    >
      <EmptyState icon={Scale} title="This page is being built">
        The interface and the command line can do all of it already.
      </EmptyState>
    </Page>
  )
}
