import type { ReportAnswer } from '@aisle/client'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatCount, formatNumber, formatPercent } from '../../format/numbers.ts'
import { amountOf, revenueText } from '../../parts/figures.ts'
import { useStore } from '../../session/store.ts'
import { currentTimeMs } from '../../state/clock.ts'
import { numberColumn } from '../../ui/columns.tsx'
import type { Column } from '../../ui/table-model.ts'
import type { CategoryPage } from './category-page.ts'

type Figures = ReportAnswer<'filters'>['rows'][number]
type FiguresOf = (page: CategoryPage) => Figures | undefined

const DAY_MS = 86_400_000
const ROWS_MAX = 10_000
/** Days of the figures of one page. */
const PAGE_DAYS = 30

/** The views of category pages, searches without words, and what followed from them. */
export function useCategoryFigures(days: number): FiguresOf | undefined {
  const { storeId, calls } = useStore()
  const { data } = useQuery({
    queryKey: ['report', storeId, 'filters', 'pages', days],
    queryFn: async () => {
      const from = new Date(currentTimeMs() - days * DAY_MS).toISOString()
      const { rows } = await calls.report('filters', { from, query: '*', limit: ROWS_MAX })
      return new Map(rows.map((row) => [keyOf(row), row]))
    },
  })
  return data && ((page) => data.get(keyOf(page)))
}

export function categoryColumns<Row extends CategoryPage>(
  figuresOf: FiguresOf | undefined,
): readonly Column<Row>[] {
  return [
    numberColumn('views', 'Views', (page) => figuresOf && (figuresOf(page)?.searches ?? 0), {
      width: '88px',
    }),
    numberColumn('clicked', 'Clicked', (page) => figuresOf?.(page)?.click_through_rate, {
      width: '88px',
      format: formatPercent,
    }),
    numberColumn('converted', 'Converted', (page) => figuresOf?.(page)?.conversion_rate, {
      width: '100px',
      format: formatPercent,
    }),
    {
      ...numberColumn<Row>('revenue', 'Revenue', (page) =>
        amountOf(figuresOf?.(page)?.revenue ?? []),
      ),
      width: '130px',
      cell: (page) => revenueText(figuresOf?.(page)?.revenue ?? []),
    },
  ]
}

/** The same of one page, in a sentence. */
export function CategoryFigures({ page }: { readonly page: CategoryPage }): ReactNode {
  const figuresOf = useCategoryFigures(PAGE_DAYS)
  if (figuresOf === undefined) return null
  const figures = figuresOf(page)
  if (figures === undefined) return <p className="muted">Not viewed in the last 30 days.</p>
  const { searches, users, click_through_rate: clicked, conversion_rate: bought, revenue } = figures
  const outcomes = [
    ...(clicked === null ? [] : [`${formatPercent(clicked)} led to a click`]),
    ...(bought === null ? [] : [`${formatPercent(bought)} led to a purchase`]),
    ...(revenue.length === 0 ? [] : [`${revenueText(revenue)} of revenue`]),
  ]
  return (
    <p>
      <strong>{formatNumber(searches)}</strong> {searches === 1 ? 'view' : 'views'} by{' '}
      {formatCount(users, 'visitor')} in the last {PAGE_DAYS} days
      {outcomes.map((one) => `; ${one}`)}.
    </p>
  )
}

function keyOf({ field, value }: { readonly field: string; readonly value: string }): string {
  return `${field} ${value}`
}
