import type { ReactNode } from 'react'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { EventCounts } from './event-counts.tsx'
import { Journey } from './journey.tsx'
import { LiveTail } from './live-tail.tsx'
import { Validator } from './validator.tsx'
import './events.css'

/** The events that the shop sends, as they arrive, with their verdicts. */
export function EventsScreen(): ReactNode {
  return (
    <Page
      title="Events"
      about="What the shop sends, as it arrives, and what becomes of each event."
      width="full"
    >
      <EventCounts />
      <Tabs
        label="Events"
        tabs={[
          { id: 'live', label: 'Live', content: <LiveTail /> },
          { id: 'journey', label: 'Journey of a visitor', content: <Journey /> },
          { id: 'check', label: 'Check events', content: <Validator /> },
        ]}
      />
    </Page>
  )
}
