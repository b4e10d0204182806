import type { ReportAnswer } from '@aisle/client'
import { ListFilter } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatNumber, formatPercent } from '../../format/numbers.ts'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import type { Column } from '../../ui/table-model.ts'
import { Table } from '../../ui/table.tsx'
import { ROWS_MAX, useReport } from './report-data.ts'

type Row = ReportAnswer<'filters'>['rows'][number]

/** Which filters searches use: values without results, and facets that nobody uses. */
export function FiltersTab(): ReactNode {
  const { data, error, refetch } = useReport('filters', { limit: ROWS_MAX })
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  const before = new Map(data?.comparison?.rows.map((row) => [rowId(row), row.searches]))
  const columns: readonly Column<Row>[] = [
    { id: 'field', header: 'Field', cell: ({ field }) => field, value: ({ field }) => field },
    {
      id: 'value',
      header: 'Value',
      cell: ({ value }) => value,
      value: ({ value }) => value,
      isMain: true,
    },
    count('searches', 'Searches', ({ searches }) => searches),
    {
      id: 'share',
      header: 'Of all searches',
      cell: ({ searches }) => formatPercent(shareOf(searches, data?.totals.searches)),
      value: ({ searches }) => shareOf(searches, data?.totals.searches) ?? undefined,
      isNumber: true,
    },
    ...(data?.comparison === undefined
      ? []
      : [
          {
            id: 'earlier',
            header: 'Searches, compared period',
            cell: (row: Row) => formatNumber(before.get(rowId(row)) ?? 0),
            value: (row: Row) => before.get(rowId(row)) ?? 0,
            isNumber: true,
          },
        ]),
    count('users', 'Visitors', ({ users }) => users),
  ]
  return (
    <div className="stack">
      {data !== undefined && data.totals.searches > 0 && (
        <p className="muted">
          {formatNumber(data.totals.filtered_searches)} of {formatNumber(data.totals.searches)}{' '}
          searches were narrowed with a filter ({formatPercent(data.totals.filtered_rate)}).
        </p>
      )}
      <Table
        label="Filters of searches"
        name="analytics-filters"
        rows={data?.rows}
        columns={columns}
        rowId={rowId}
        empty={
          <EmptyState icon={ListFilter} title="No search was narrowed in this period">
            Filters stand here by field and value.
          </EmptyState>
        }
      />
    </div>
  )
}

function rowId({ field, value }: Row): string {
  return JSON.stringify([field, value])
}

function shareOf(count: number, all: number | undefined): number | null {
  return all === undefined || all === 0 ? null : count / all
}

function count(id: string, header: string, value: (row: Row) => number): Column<Row> {
  return { id, header, cell: (row) => formatNumber(value(row)), value, isNumber: true }
}
