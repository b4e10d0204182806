import { Store } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'

export function StoresScreen(): ReactNode {
  return (
    <Page
      title="Stores"
      about="Every shop has a store of its own: products, rules, keys and figures."
    >
      <EmptyState icon={Store} title="This page is being built">
        The interface and the command line can do all of it already.
      </EmptyState>
    </Page>
  )
}
