import type { ReportAnswer } from '@aisle/client'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { formatNumber, formatPercent } from '../../format/numbers.ts'
import { useStore, queryLinks } from '../../session/store.ts'
import type { Column } from '../../ui/table-model.ts'
import { amountOf, decimalText, revenueText } from '../../parts/figures.ts'

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

/** Leaves out the column of the compared period where nothing is compared. */
export function before<Row>(
  columns: readonly Column<Row>[],
  isCompared: boolean,
): readonly Column<Row>[] {
  return isCompared ? columns : columns.filter(({ id }) => id !== 'earlier')
}

const BASE: readonly Column<Compared<BareRow>>[] = [
  {
    id: 'query',
    header: 'Query',
    cell: ({ query }) => <QueryText query={query} />,
    value: ({ query }) => query,
    width: '28%',
  },
  {
    id: 'searches',
    header: 'Searches',
    cell: ({ searches }) => formatNumber(searches),
    value: ({ searches }) => searches,
    isNumber: true,
    isMain: true,
  },
  {
    id: 'earlier',
    header: 'Compared period',
    cell: ({ earlier }) => (earlier === undefined ? '–' : formatNumber(earlier)),
    value: ({ earlier }) => earlier,
    isNumber: true,
  },
  {
    id: 'users',
    header: 'Visitors',
    cell: ({ users }) => formatNumber(users),
    value: ({ users }) => users,
    isNumber: true,
  },
]

export const BARE_QUERY_COLUMNS: readonly Column<Compared<BareRow>>[] = [
  ...BASE,
  {
    id: 'do',
    header: 'Make of it',
    cell: ({ query }) => <QueryActions query={query} />,
    width: '240px',
  },
]

export const QUERY_COLUMNS: readonly Column<Compared<TopRow>>[] = [
  ...BASE,
  decimal('results', 'Results', ({ average_results: results }) => results, 'found, on average'),
  {
    id: 'clicks',
    header: 'Clicks',
    cell: ({ clicks }) => formatNumber(clicks),
    value: ({ clicks }) => clicks,
    isNumber: true,
    isHidden: true,
  },
  share('ctr', 'Click-through', ({ click_through_rate: rate }) => rate),
  decimal('position', 'Click position', ({ average_click_position: position }) => position),
  share('conversion', 'Conversion', ({ conversion_rate: rate }) => rate),
  {
    id: 'revenue',
    header: 'Revenue',
    cell: ({ revenue }) => revenueText(revenue),
    value: ({ revenue }) => amountOf(revenue) ?? undefined,
    isNumber: true,
  },
]

function decimal(
  id: string,
  header: string,
  value: (row: TopRow) => number | null,
  unit?: string,
): Column<Compared<TopRow>> {
  return {
    id,
    header,
    cell: (row) => decimalText(value(row)),
    value: (row) => value(row) ?? undefined,
    isNumber: true,
    ...(unit === undefined ? {} : { unit }),
  }
}

function share(
  id: string,
  header: string,
  value: (row: TopRow) => number | null,
): Column<Compared<TopRow>> {
  return {
    id,
    header,
    cell: (row) => formatPercent(value(row)),
    value: (row) => value(row) ?? undefined,
    isNumber: true,
  }
}

/** `*` is a search for everything: a category page, mostly. */
export function QueryText({ query }: { readonly query: string }): ReactNode {
  if (query !== '*') return <span title={query}>{query}</span>
  return <span className="muted">everything (no words typed)</span>
}

function QueryActions({ query }: { readonly query: string }): ReactNode {
  const { storeId } = useStore()
  const links = queryLinks(storeId, query)
  if (query === '*') return null
  return (
    <span className="row analytics-links">
      <Link href={links.synonym}>Make a synonym</Link>
      <Link href={links.rule}>Make a rule</Link>
    </span>
  )
}
