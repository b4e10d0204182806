import type { TailedEvent } from '@aisle/contract'
import type { ReactNode } from 'react'
import { formatDuration } from '../../format/numbers.ts'
import { formatExactTime } from '../../format/time.ts'
import { verdictText } from '../../parts/verdicts.ts'
import { storePath, useStore } from '../../session/store.ts'
import { Badge } from '../../ui/badge.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { SidePanel, stepsOf } from '../../ui/side-panel.tsx'
import { aboutOf, journeyAddress, sameVisitor, visitorOf } from './event-facts.ts'
import type { TailRow } from './tail-buffer.ts'

const JOURNEY_MAX = 100

/** One event in full, with the other actions of its visitor. */
export function EventPanel({
  rows,
  openId,
  onOpen,
}: {
  readonly rows: readonly TailRow[]
  readonly openId: number | undefined
  readonly onOpen: (id: number | undefined) => void
}): ReactNode {
  const place = rows.findIndex(({ id }) => id === openId)
  const row = rows[place]
  return (
    <SidePanel
      title={row?.event.name ?? 'Event'}
      isOpen={row !== undefined}
      onClose={() => onOpen(undefined)}
      {...stepsOf(rows, place, ({ id }) => onOpen(id))}
    >
      {row !== undefined && (
        <div className="stack-groups">
          <Verdict event={row.event} />
          <Journey row={row} rows={rows} onOpen={onOpen} />
          <CodeBlock
            label="Event"
            samples={[{ label: 'JSON', code: JSON.stringify(row.event, null, 2) }]}
          />
        </div>
      )}
    </SidePanel>
  )
}

function Verdict({ event }: { readonly event: TailedEvent }): ReactNode {
  const { label, about, kind } = verdictText(event)
  const { reasons = [], warnings = [], timestamp, received_at: received } = event
  const lateMs = timestamp === undefined ? 0 : Date.parse(received) - Date.parse(timestamp)
  return (
    <div className="stack">
      <p className="row">
        <Badge kind={kind}>{label}</Badge>
        <span className="muted">{about}</span>
      </p>
      {reasons.length + warnings.length > 0 && (
        <ul className="events-reasons">
          {[...reasons, ...warnings].map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      <p className="small muted">
        Received {formatExactTime(Date.parse(received))}
        {lateMs >= 1_000 && `, ${formatDuration(lateMs)} after it happened`}
        {lateMs <= -1_000 && `; the sender's clock is ${formatDuration(-lateMs)} ahead`}.
      </p>
    </div>
  )
}

function Journey({
  row: { id, event },
  rows,
  onOpen,
}: {
  readonly row: TailRow
  readonly rows: readonly TailRow[]
  readonly onOpen: (id: number) => void
}): ReactNode {
  const { storeId } = useStore()
  const visitor = visitorOf(event)
  if (visitor === undefined) return null
  const journey = rows
    .filter((other) => sameVisitor(event, other.event))
    .slice(0, JOURNEY_MAX)
    .toSorted((a, b) => atMs(a.event) - atMs(b.event) || a.id - b.id)
  const startMs = atMs(journey[0]!.event)
  return (
    <section className="stack" aria-labelledby="events-journey">
      <h3 id="events-journey" className="cut" title={visitor}>
        Journey of {visitor}
      </h3>
      <ol className="events-journey">
        {journey.map((step) => (
          <li key={step.id} aria-current={step.id === id ? 'true' : undefined}>
            <span className="small muted number">{sinceText(atMs(step.event) - startMs)}</span>
            <button type="button" className="events-step" onClick={() => onOpen(step.id)}>
              <span className="strong">{step.event.name}</span>{' '}
              <span className="muted">{aboutOf(step.event)}</span>
            </button>
          </li>
        ))}
      </ol>
      <p className="row">
        <span className="small muted">Events in this list.</span>
        <LinkButton to={`${storePath(storeId, 'events')}${journeyAddress(event) ?? ''}`}>
          Show whole journey
        </LinkButton>
      </p>
    </section>
  )
}

/** Below a second only the order matters. */
function sinceText(ms: number): string {
  return ms < 1_000 ? '+0 s' : `+${formatDuration(ms)}`
}

function atMs({ timestamp, received_at: received }: TailedEvent): number {
  return Date.parse(timestamp ?? received)
}
