import type { ReportAnswer } from '@aisle/client'
import { ShoppingCart } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatMoney } from '../../format/numbers.ts'
import { withChange } from '../../parts/figures.ts'
import type { ProductFacts } from '../../parts/product-fields.ts'
import { useUrlState } from '../../state/url-state.ts'
import { Segmented } from '../../ui/choice.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import type { Column } from '../../ui/table-model.ts'
import { Table } from '../../ui/table.tsx'
import { ProductName, useProducts } from '../../parts/product-titles.tsx'
import { QueryText } from './query-columns.tsx'
import { comparedColumn, useReport } from './report-data.ts'
import { numberColumn, textColumn } from '../../ui/columns.tsx'

const LISTS = [
  { value: 'revenue', label: 'By query' },
  { value: 'conversions', label: 'By query and product' },
] as const
const ROWS_MAX = 500

type Row = ReportAnswer<'revenue'>['rows'][number]

/** Conversions, orders and revenue, by the query that led to them. */
export function SalesTab(): ReactNode {
  const [chosen, choose] = useUrlState('sales', LISTS[0].value)
  const list = LISTS.find(({ value }) => value === chosen)?.value ?? LISTS[0].value
  const { data, error, refetch } = useReport(list, { limit: ROWS_MAX })
  const [open, setOpen] = useUrlState('query')
  const ids = data?.rows.flatMap((row) => row.document_id ?? []) ?? []
  const products = useProducts([...new Set(ids)])
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  const earlier = data?.comparison?.rows
  const before = new Map(earlier?.map((row) => [rowId(row), row]))
  return (
    <Table
      label={list === 'revenue' ? 'Sales by query' : 'Sales by query and product'}
      name={`analytics-${list}`}
      rows={data?.rows}
      columns={[
        ...columns(list === 'revenue' ? undefined : products),
        ...comparedColumn<Row>(
          earlier !== undefined,
          'Revenue, compared period',
          (row) => before.get(rowId(row))?.revenue,
          {
            cell: (row) => {
              const was = before.get(rowId(row))
              return withChange(amountText(was), row.revenue, was?.revenue)
            },
          },
        ),
      ]}
      rowId={rowId}
      onOpen={({ query }) => setOpen(query ?? '')}
      openRowId={open}
      tools={<Segmented label="Rows" options={LISTS} value={list} onChange={choose} />}
      empty={
        <EmptyState icon={ShoppingCart} title="No orders in this period">
          Orders appear here by query once your shop sends them as events.
        </EmptyState>
      }
    />
  )
}

function rowId({ query, document_id: id, currency }: Row): string {
  return JSON.stringify([query, id, currency])
}

function columns(products: ReadonlyMap<string, ProductFacts> | undefined): readonly Column<Row>[] {
  return [
    textColumn('query', 'Query', ({ query }) => query ?? '', {
      cell: ({ query }) =>
        query === null ? (
          <span className="muted">not from a search</span>
        ) : (
          <QueryText query={query} />
        ),
      width: '28%',
    }),
    ...(products === undefined
      ? []
      : [
          {
            id: 'product',
            header: 'Product',
            cell: ({ document_id: id }: Row) =>
              id === null ? (
                <span className="muted">whole order</span>
              ) : (
                <ProductName id={id} products={products} />
              ),
            value: ({ document_id: id }: Row) =>
              id === null ? '' : (products.get(id)?.title ?? id),
          },
        ]),
    numberColumn('conversions', 'Conversions', ({ conversions }) => conversions),
    numberColumn('orders', 'Orders', ({ orders }) => orders),
    numberColumn<Row>('revenue', 'Revenue', ({ revenue }) => revenue, {
      cell: amountText,
      isMain: true,
    }),
    textColumn('currency', 'Currency', ({ currency }) => currency ?? '–'),
  ]
}

function amountText(row: Row | undefined): string {
  if (row === undefined || row.revenue === null) return '–'
  return formatMoney(row.revenue, row.currency ?? undefined)
}
