import { SlidersHorizontal } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'

export function PresetsScreen(): ReactNode {
  return (
    <Page title="Presets" about="Search settings by name, for shop fronts to use.">
      <EmptyState icon={SlidersHorizontal} title="This page is being built">
        The interface and the command line can do all of it already.
      </EmptyState>
    </Page>
  )
}
