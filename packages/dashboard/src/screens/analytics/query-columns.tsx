import type { ReportAnswer } from '@aisle/client'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { formatNumber, formatPercent } from '../../format/numbers.ts'
import { useStore, queryLinks } from '../../session/store.ts'
import type { Column } from '../../ui/table-model.ts'
import {
  amountOf,
  decimalText,
  revenueText,
  revenueTexts,
  withChange,
} from '../../parts/figures.ts'
import { numberColumn, textColumn } from '../../ui/columns.tsx'

type TopRow = ReportAnswer<'top-queries'>['rows'][number]
type BareRow = ReportAnswer<'no-results'>['rows'][number]

/** A row with the searches of the same query in the compared period, if that period lists it. */
export type Compared<Row> = Row & { readonly earlier: number | undefined }

export function withEarlier<Row extends BareRow>(
  rows: readonly Row[],
  earlier: readonly Pick<Row, 'query' | 'searches'>[] | undefined,
): readonly Compared<Row>[] {
  const searches = new Map(earlier?.map((row) => [row.query, row.searches]))
  return rows.map((row) => ({ ...row, earlier: searches.get(row.query) }))
}

/**
 * Leaves out the column of the compared period where nothing is compared. With it, the query gets
 * less room, so that a desk shows all columns.
 */
export function before<Row>(
  columns: readonly Column<Row>[],
  isCompared: boolean,
): readonly Column<Row>[] {
  if (!isCompared) return columns.filter(({ id }) => id !== 'earlier')
  return columns.map((one) => (one.id === 'query' ? { ...one, width: '15%' } : one))
}

const BASE: readonly Column<Compared<BareRow>>[] = [
  textColumn('query', 'Query', ({ query }) => query, {
    cell: ({ query }) => <QueryText query={query} />,
    width: '28%',
  }),
  numberColumn('searches', 'Searches', ({ searches }) => searches, { isMain: true }),
  numberColumn('earlier', 'Compared period', ({ earlier }) => earlier, {
    cell: ({ earlier, searches }) =>
      earlier === undefined ? '–' : withChange(formatNumber(earlier), searches, earlier),
  }),
  numberColumn('users', 'Visitors', ({ users }) => users),
]

export const BARE_QUERY_COLUMNS: readonly Column<Compared<BareRow>>[] = [
  ...BASE,
  {
    id: 'do',
    header: 'Actions',
    cell: ({ query }) => <QueryActions query={query} />,
    width: '240px',
  },
]

export const QUERY_COLUMNS: readonly Column<Compared<TopRow>>[] = [
  ...BASE,
  numberColumn('results', 'Results', (row) => row.average_results, {
    format: decimalText,
    unit: 'average',
  }),
  numberColumn('clicks', 'Clicks', ({ clicks }) => clicks, { isHidden: true }),
  numberColumn('ctr', 'Click-through', (row) => row.click_through_rate, { format: formatPercent }),
  numberColumn('position', 'Click position', (row) => row.average_click_position, {
    format: decimalText,
  }),
  numberColumn('conversion', 'Conversion', (row) => row.conversion_rate, { format: formatPercent }),
  numberColumn('revenue', 'Revenue', ({ revenue }) => amountOf(revenue), {
    cell: ({ revenue }) => (
      <span title={revenueTexts(revenue).join(' + ')}>{revenueText(revenue)}</span>
    ),
  }),
]

/** `*` is a search for everything: a category page, mostly. */
export function QueryText({ query }: { readonly query: string }): ReactNode {
  if (query !== '*') return <span title={query}>{query}</span>
  return <span className="muted">all products (no query)</span>
}

function QueryActions({ query }: { readonly query: string }): ReactNode {
  const { storeId } = useStore()
  const links = queryLinks(storeId, query)
  if (query === '*') return null
  return (
    <span className="row row-whole gap-16">
      <Link href={links.fix}>Find a fix</Link>
      <Link href={links.rule}>Create rule</Link>
    </span>
  )
}
