import { KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'

export function KeysScreen(): ReactNode {
  return (
    <Page title="Keys" about="The secrets of the store: who uses which, and how to change them.">
      <EmptyState icon={KeyRound} title="This page is being built">
        The interface and the command line can do all of it already.
      </EmptyState>
    </Page>
  )
}
