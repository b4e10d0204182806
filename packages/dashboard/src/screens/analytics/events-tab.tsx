import type { ReportAnswer } from '@aisle/client'
import { Activity } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { formatNumber, formatPercent } from '../../format/numbers.ts'
import { VERDICTS } from '../../parts/verdicts.ts'
import { storePath, useStore } from '../../session/store.ts'
import { Badge } from '../../ui/badge.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import type { Column } from '../../ui/table-model.ts'
import { Table } from '../../ui/table.tsx'
import { comparedColumn, ROWS_MAX, useReport } from './report-data.ts'
import { numberColumn, textColumn } from '../../ui/columns.tsx'

type Row = ReportAnswer<'events'>['rows'][number]

/** The events of the shop, by verdict. */
export function EventsTab(): ReactNode {
  const { storeId } = useStore()
  const { data, error, refetch } = useReport('events', { limit: ROWS_MAX })
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  const before = new Map(data?.comparison?.rows.map((row) => [rowId(row), row.count]))
  const columns: readonly Column<Row>[] = [
    textColumn('event', 'Event', ({ event }) => event),
    textColumn('verdict', 'Status', ({ verdict }) => VERDICTS[verdict].label, {
      cell: ({ verdict }) => <Badge kind={VERDICTS[verdict].kind}>{VERDICTS[verdict].label}</Badge>,
    }),
    numberColumn('count', 'Events', ({ count }) => count, { isMain: true }),
    ...comparedColumn<Row>(
      data?.comparison !== undefined,
      'Compared period',
      (row) => before.get(rowId(row)) ?? 0,
    ),
  ]
  const totals = data?.totals
  const all = totals === undefined ? 0 : Object.values(totals).reduce((sum, n) => sum + n, 0)
  const faulty = totals === undefined ? 0 : totals.invalid + totals.dropped_unknown
  return (
    <div className="stack">
      <p className="muted">
        {all > 0 &&
          `${formatNumber(all)} events, ${formatPercent(faulty / all)} of them invalid or with an unknown name. `}
        {faulty > 0 ? (
          <Link href={`${storePath(storeId, 'events')}?verdict=faulty`}>
            See recent ones and why
          </Link>
        ) : (
          <Link href={storePath(storeId, 'events')}>View live events</Link>
        )}
      </p>
      <Table
        label="Events by name"
        name="analytics-events"
        rows={data?.rows}
        columns={columns}
        rowId={rowId}
        empty={
          <EmptyState icon={Activity} title="No events in this period">
            Events appear here by name. Searches are counted without them.
          </EmptyState>
        }
      />
    </div>
  )
}

function rowId({ event, verdict }: Row): string {
  return `${verdict} ${event}`
}
