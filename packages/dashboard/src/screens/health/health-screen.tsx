import { HeartPulse } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'

export function HealthScreen(): ReactNode {
  return (
    <Page title="Health" about="How the service is doing: memory, disk, queues, jobs.">
      <EmptyState icon={HeartPulse} title="This page is being built">
        The interface and the command line can do all of it already.
      </EmptyState>
    </Page>
  )
}
