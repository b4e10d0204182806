import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { formatNumber, formatPercent } from '../../format/numbers.ts'
import { storePath, useStore } from '../../session/store.ts'
import { currentTimeMs } from '../../state/clock.ts'
import { Skeleton } from '../../ui/states.tsx'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { FAULTY } from './event-facts.ts'
import { Journey } from './journey.tsx'
import { LiveTail } from './live-tail.tsx'
import { Validator } from './validator.tsx'
import './events.css'

/** The events that the shop sends, as they arrive, with their verdicts. */
export function EventsScreen(): ReactNode {
  return (
    <Page title="Events" about="Events of your shop as they arrive, with their status.">
      <EventCounts />
      <Tabs
        label="Events"
        tabs={[
          { id: 'live', label: 'Live', content: <LiveTail /> },
          { id: 'journey', label: 'Visitor journey', content: <Journey /> },
          { id: 'check', label: 'Check events', content: <Validator /> },
        ]}
      />
    </Page>
  )
}

const DAY_MS = 86_400_000
const PERIODS = [
  { days: 1, label: 'Last 24 hours' },
  { days: 2, label: 'Last 2 days' },
  { days: 7, label: 'Last 7 days' },
] as const

/** Number of events, and of invalid ones. */
export function EventCounts(): ReactNode {
  return (
    <div className="events-counts card">
      {PERIODS.map(({ days, label }) => (
        <Counts key={days} days={days} label={label} />
      ))}
    </div>
  )
}

function Counts({ days, label }: { readonly days: number; readonly label: string }): ReactNode {
  const { storeId, calls } = useStore()
  const { data, error } = useQuery({
    queryKey: ['report', storeId, 'events', 'last', days],
    queryFn: () => {
      const from = new Date(currentTimeMs() - days * DAY_MS).toISOString()
      return calls.report('events', { from, limit: 1 })
    },
    refetchInterval: 30_000,
  })
  const totals = data?.totals
  const all = totals === undefined ? 0 : Object.values(totals).reduce((sum, n) => sum + n, 0)
  const faulty = totals === undefined ? 0 : totals.invalid + totals.dropped_unknown
  return (
    <div className="events-count">
      <span className="small muted">{label}</span>
      {error !== null ? (
        <span className="muted">not available</span>
      ) : totals === undefined ? (
        <Skeleton width={80} height={24} />
      ) : (
        <>
          <span className="events-number number">{formatNumber(all)}</span>
          <span className="small muted number">
            {all === 0 ? (
              'no events'
            ) : (
              <Link href={`${storePath(storeId, 'events')}?verdict=${FAULTY}`}>
                {faulty === 0
                  ? 'none faulty'
                  : `${formatNumber(faulty)} faulty, ${formatPercent(faulty / all)}`}
              </Link>
            )}
          </span>
        </>
      )}
    </div>
  )
}
