import { Activity, Eraser, Pause, Play } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { formatNumber } from '../../format/numbers.ts'
import { VERDICTS, verdictText } from '../../parts/verdicts.ts'
import { storePath, useStore } from '../../session/store.ts'
import { useUrlState } from '../../state/url-state.ts'
import { Link } from 'wouter'
import { Badge } from '../../ui/badge.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Select } from '../../ui/choice.tsx'
import { EmptyState, Note } from '../../ui/states.tsx'
import type { Column } from '../../ui/table-model.ts'
import { Table } from '../../ui/table.tsx'
import { SearchField } from '../../ui/text-field.tsx'
import { aboutOf, FAULTY, isWanted, visitorOf } from './event-facts.ts'
import { EventPanel } from './event-panel.tsx'
import type { TailRow } from './tail-buffer.ts'
import { useTail, type Tail } from './use-tail.ts'
import { textColumn, timeColumn } from '../../ui/columns.tsx'

const VERDICT_OPTIONS = [
  { value: 'all', label: 'Any status' },
  { value: FAULTY, label: 'Faulty' },
  ...Object.entries(VERDICTS).map(([value, { label }]) => ({ value, label })),
]

const COLUMNS: readonly Column<TailRow>[] = [
  textColumn('name', 'Event', ({ event }) => event.name, { width: '20%' }),
  textColumn('verdict', 'Status', ({ event }) => verdictText(event).label, {
    cell: ({ event }) => <Badge kind={verdictText(event).kind}>{verdictText(event).label}</Badge>,
    isMain: true,
  }),
  textColumn('about', 'About', ({ event }) => aboutOf(event), {
    cell: ({ event }) => <span title={aboutOf(event)}>{aboutOf(event) || '–'}</span>,
    width: '32%',
  }),
  textColumn('visitor', 'Visitor', ({ event }) => visitorOf(event) ?? '–'),
  textColumn('source', 'Sent as', ({ event }) =>
    event.source === 'server' ? 'by the service' : event.source,
  ),
  timeColumn('received', 'Received', ({ event }) => event.received_at),
]

/** Newest on top; it does not scroll while somebody reads it. */
export function LiveTail(): ReactNode {
  const { storeId } = useStore()
  const [isStopped, stop] = useState(false)
  const [isHeld, hold] = useState(false)
  const [openId, open] = useState<number>()
  const [text, setText] = useUrlState('find', '', { isTyped: true })
  const [verdict, setVerdict] = useUrlState('verdict')
  const isPaused = isStopped || isHeld || openId !== undefined
  const tail = useTail(storeId, isPaused)
  const rows = tail.rows.filter(({ event }) => isWanted(event, text, verdict))
  return (
    <div
      className="stack"
      onPointerOver={({ target, pointerType }) => {
        if (pointerType === 'mouse') hold(scrollerOf(target) !== null)
      }}
      onPointerLeave={({ currentTarget }) => hold(isScrolled(currentTarget))}
      onScrollCapture={({ currentTarget }) => hold(isScrolled(currentTarget))}
    >
      <TailNote tail={tail} />
      <Table
        label="Events"
        name="events-tail"
        rows={rows}
        total={tail.rows.length}
        columns={COLUMNS}
        rowId={({ id }) => String(id)}
        onOpen={({ id }) => open(id)}
        openRowId={openId === undefined ? undefined : String(openId)}
        tools={
          <>
            <SearchField label="Find name, visitor, search id" value={text} onChange={setText} />
            <div className="events-verdict">
              <Select
                label="Status"
                isLabelHidden
                options={VERDICT_OPTIONS}
                value={verdict === '' ? 'all' : verdict}
                onChange={(next) => setVerdict(next === 'all' ? '' : next)}
              />
            </div>
            <Button
              icon={isStopped ? Play : Pause}
              onPress={() => {
                stop(!isStopped)
              }}
            >
              {isStopped ? 'Resume' : 'Pause'}
            </Button>
            <Button variant="ghost" icon={Eraser} onPress={tail.clear}>
              Clear list
            </Button>
            <TailStatus tail={tail} isPaused={isPaused} />
          </>
        }
        empty={
          tail.rows.length > 0 || verdict !== '' ? (
            <p className="events-none muted">
              {verdict === FAULTY
                ? 'No faulty events. The last 100 are listed here until the service restarts; '
                : 'No events match the filter. '}
              <Link href={`${storePath(storeId, 'analytics')}?tab=events&range=7d`}>
                Analytics counts all of them by name
              </Link>
              .
            </p>
          ) : (
            <EmptyState
              icon={Activity}
              title={isPaused && tail.waiting > 0 ? 'Paused' : 'Waiting for events'}
              action={
                <LinkButton to={`${storePath(storeId, 'events')}?tab=check`}>
                  Check events
                </LinkButton>
              }
            >
              Search in your shop, or send an event. It appears here within a second.
            </EmptyState>
          )
        }
      />
      <EventPanel rows={tail.rows} openId={openId} onOpen={open} />
    </div>
  )
}

function TailStatus({
  tail: { rate, waiting, state },
  isPaused,
}: {
  readonly tail: Tail
  readonly isPaused: boolean
}): ReactNode {
  const text =
    state === 'connecting'
      ? 'connecting'
      : state === 'live'
        ? `${formatNumber(rate, rate > 0 && rate < 10 ? 1 : 0)} per second`
        : 'not connected'
  return (
    <span className="small number events-status">
      <span
        className={state === 'live' && !isPaused ? 'events-dot events-dot-live' : 'events-dot'}
        aria-hidden
      />
      {isPaused && waiting > 0 ? `paused, ${formatNumber(waiting)} new` : text}
    </span>
  )
}

function TailNote({ tail: { state, skipped } }: { readonly tail: Tail }): ReactNode {
  if (state === 'lost') {
    return (
      <Note kind="bad">
        The stream was closed: your session has expired, or too many pages are listening. Reload the
        page.
      </Note>
    )
  }
  if (state === 'ended') return <Note kind="warn">Your session has expired. Log in again.</Note>
  if (skipped === 0) return null
  return (
    <Note kind="warn">
      {formatNumber(skipped)} events came faster than this page could read them, and are not listed.
      They are still counted.
    </Note>
  )
}

function scrollerOf(target: EventTarget): Element | null {
  return target instanceof Element ? target.closest('.table-scroller') : null
}

function isScrolled(place: Element): boolean {
  return (place.querySelector('.table-scroller')?.scrollTop ?? 0) > 0
}
