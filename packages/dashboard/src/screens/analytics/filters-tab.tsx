import type { ReportAnswer } from '@aisle/client'
import { ListFilter } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatNumber, formatPercent } from '../../format/numbers.ts'
import { amountOf, revenueText } from '../../parts/figures.ts'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import type { Column } from '../../ui/table-model.ts'
import { Table } from '../../ui/table.tsx'
import { comparedColumn, ROWS_MAX, useReport } from './report-data.ts'
import { numberColumn, textColumn } from '../../ui/columns.tsx'

type Row = ReportAnswer<'filters'>['rows'][number]

/** Which filters searches use: values without results, and facets that nobody uses. */
export function FiltersTab(): ReactNode {
  const { data, error, refetch } = useReport('filters', { limit: ROWS_MAX })
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  const before = new Map(data?.comparison?.rows.map((row) => [rowId(row), row.searches]))
  const columns: readonly Column<Row>[] = [
    textColumn('field', 'Field', ({ field }) => field),
    textColumn('value', 'Value', ({ value }) => value, { isMain: true }),
    numberColumn('searches', 'Searches', ({ searches }) => searches),
    numberColumn(
      'share',
      'Share of searches',
      ({ searches }) => shareOf(searches, data?.totals.searches),
      { format: formatPercent },
    ),
    ...comparedColumn<Row>(
      data?.comparison !== undefined,
      'Searches, compared period',
      (row) => before.get(rowId(row)) ?? 0,
    ),
    numberColumn('users', 'Visitors', ({ users }) => users),
    numberColumn('clicked', 'Clicked', (row) => row.click_through_rate, { format: formatPercent }),
    numberColumn('converted', 'Converted', (row) => row.conversion_rate, { format: formatPercent }),
    {
      ...numberColumn<Row>('revenue', 'Revenue', ({ revenue }) => amountOf(revenue)),
      cell: ({ revenue }) => revenueText(revenue),
    },
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
        label="Filters used"
        name="analytics-filters"
        rows={data?.rows}
        columns={columns}
        rowId={rowId}
        empty={
          <EmptyState icon={ListFilter} title="No filters were used in this period">
            Filters appear here by field and value.
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
