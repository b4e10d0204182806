import type { JourneyEvent } from '@aisle/client'
import { useInfiniteQuery } from '@tanstack/react-query'
import {
  Circle,
  Eye,
  Filter,
  Footprints,
  Lightbulb,
  MousePointerClick,
  PackageCheck,
  Search,
  ShoppingCart,
  UserCheck,
  type LucideIcon,
} from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { formatExactTime } from '../../format/time.ts'
import { useStore } from '../../session/store.ts'
import { useDateRange } from '../../state/date-range.ts'
import { useDebounced } from '../../state/clock.ts'
import { useUrlState } from '../../state/url-state.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/choice.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { DateRangeField } from '../../ui/date-range.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { Section } from '../../ui/page.tsx'
import { SidePanel, stepsOf } from '../../ui/side-panel.tsx'
import { SearchField } from '../../ui/text-field.tsx'
import { detailOf, visitsOf, visitSummary, type Visit } from './journey-episodes.ts'
import { ID_KINDS, type IdKind } from './event-facts.ts'

const TYPING_MS = 400
const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })
const STEPS: Readonly<Record<JourneyEvent['step'], readonly [label: string, icon: LucideIcon]>> = {
  search: ['Searched', Search],
  shown: ['Viewed products', Eye],
  click: ['Clicked', MousePointerClick],
  filter: ['Filtered', Filter],
  cart: ['Viewed the cart', ShoppingCart],
  suggestion: ['Chose a suggestion', Lightbulb],
  add: ['Added to cart', ShoppingCart],
  conversion: ['Converted', ShoppingCart],
  purchase: ['Bought', PackageCheck],
  order: ['Ordered', PackageCheck],
  identify: ['Identified', UserCheck],
  other: ['Other', Circle],
}

/** All that one visitor did: `?tab=journey&by=anonymous_id&visitor=ada`. */
export function Journey(): ReactNode {
  const { storeId, calls } = useStore()
  const range = useDateRange('30d')
  const [byText, setBy] = useUrlState('by', 'anonymous_id')
  const by = (ID_KINDS.find(({ value }) => value === byText) ?? ID_KINDS[0]).value
  const [text, setText] = useUrlState('visitor', '', { isTyped: true })
  const id = useDebounced(text.trim(), TYPING_MS)
  const [openId, open] = useState<string>()
  const { from, toExclusive: to } = range
  const query = useInfiniteQuery({
    queryKey: ['journey', storeId, by, id, from, to],
    queryFn: ({ pageParam: after }) =>
      calls.journey(idsOf(by, id), { from, to, ...(after === '' ? {} : { after }) }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    enabled: id !== '',
  })
  const events = query.data?.pages.flatMap((page) => page.events)
  const place = events?.findIndex((event) => event.message_id === openId) ?? -1
  const opened = events?.[place]
  const steps = stepsOf(events, place, (event) => open(event.message_id))
  return (
    <div className="stack-groups">
      <div className="row events-whose">
        <div className="events-verdict">
          <Select
            label="Id type"
            isLabelHidden
            options={ID_KINDS}
            value={by}
            onChange={(next) => setBy(next)}
          />
        </div>
        <SearchField label="Visitor id" value={text} onChange={setText} />
        <DateRangeField range={range} hasComparison={false} />
      </div>
      {id === '' ? (
        <EmptyState icon={Footprints} title="No visitor chosen">
          Enter a visitor's id, or open an event under Live and follow its journey.
        </EmptyState>
      ) : query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : events === undefined ? (
        <SkeletonLines count={8} />
      ) : events.length === 0 ? (
        <EmptyState icon={Footprints} title="No events of this visitor">
          No events with this id in this period. Choose a longer period, or another kind of id.
        </EmptyState>
      ) : (
        <>
          {visitsOf(events).map((visit) => (
            <VisitSection key={visit.startMs} visit={visit} openId={openId} onOpen={open} />
          ))}
          {query.hasNextPage && (
            <div className="row">
              <Button
                isPending={query.isFetchingNextPage}
                onPress={() => void query.fetchNextPage()}
              >
                Show earlier events
              </Button>
            </div>
          )}
        </>
      )}
      <SidePanel
        title={opened?.name ?? 'Event'}
        isOpen={opened !== undefined}
        onClose={() => open(undefined)}
        onPrevious={steps.onNext}
        onNext={steps.onPrevious}
      >
        {opened !== undefined && (
          <CodeBlock
            label="Event"
            samples={[{ label: 'JSON', code: JSON.stringify(opened, null, 2) }]}
          />
        )}
      </SidePanel>
    </div>
  )
}

function VisitSection({
  visit,
  openId,
  onOpen,
}: {
  readonly visit: Visit
  readonly openId: string | undefined
  readonly onOpen: (messageId: string) => void
}): ReactNode {
  return (
    <Section title={formatExactTime(visit.startMs)} about={visitSummary(visit)}>
      <ol className="events-timeline">
        {visit.events.map((event) => {
          const [label, Icon] = STEPS[event.step]
          const detail = detailOf(event)
          return (
            <li
              key={event.message_id}
              className={event.step === 'search' && !event.counted ? 'events-minor' : undefined}
              aria-current={event.message_id === openId ? 'true' : undefined}
            >
              <time className="small muted number" dateTime={event.timestamp}>
                {CLOCK.format(Date.parse(event.timestamp))}
              </time>
              <span className={`events-mark events-mark-${event.step}`}>
                <Icon size={14} aria-hidden />
              </span>
              <button
                type="button"
                className="events-step"
                onClick={() => onOpen(event.message_id)}
              >
                <span className="strong">{event.step === 'other' ? event.name : label}</span>{' '}
                <span className="muted">{detail}</span>
              </button>
              {event.source === 'server' && <Badge>by the service</Badge>}
            </li>
          )
        })}
      </ol>
    </Section>
  )
}

function idsOf(by: IdKind, id: string) {
  if (by === 'user_id') return { userId: id }
  return by === 'session_id' ? { sessionId: id } : { anonymousId: id }
}
