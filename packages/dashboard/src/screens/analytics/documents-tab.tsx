import type { ReportAnswer } from '@aisle/client'
import { Package } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatNumber, formatPercent } from '../../format/numbers.ts'
import type { ProductFacts } from '../../parts/product-fields.ts'
import { useUrlState } from '../../state/url-state.ts'
import { Segmented } from '../../ui/choice.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import type { Column } from '../../ui/table-model.ts'
import { Table } from '../../ui/table.tsx'
import { amountOf, revenueText, revenueTexts, withChange } from '../../parts/figures.ts'
import { ProductName, useProducts } from '../../parts/product-titles.tsx'
import { comparedColumn, useReport } from './report-data.ts'
import { numberColumn, textColumn } from '../../ui/columns.tsx'

const ORDERS = [
  { value: 'clicks', label: 'Most clicked' },
  { value: 'conversions', label: 'Most converted' },
  { value: 'revenue', label: 'Most revenue' },
  { value: 'impressions', label: 'Most seen' },
] as const
/** As many as have titles. */
const ROWS_MAX = 100

type Row = ReportAnswer<'top-documents'>['rows'][number]

/** Products by visitor activity. */
export function DocumentsTab(): ReactNode {
  const [chosen, choose] = useUrlState('order', ORDERS[0].value)
  const order = ORDERS.find(({ value }) => value === chosen)?.value ?? ORDERS[0].value
  const { data, error, refetch } = useReport('top-documents', { order_by: order, limit: ROWS_MAX })
  const products = useProducts(data?.rows.map((row) => row.document_id) ?? [])
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <Table
      label="Products by activity"
      name="analytics-products"
      rows={data?.rows}
      columns={columns(products, data?.comparison?.rows, order)}
      rowId={(row) => row.document_id}
      {...(data === undefined ? {} : { total: data.totals.documents })}
      tools={<Segmented label="Order" options={ORDERS} value={order} onChange={choose} />}
      empty={
        <EmptyState icon={Package} title="No product views, clicks or sales in this period">
          Products appear here once your shop sends clicks and orders with their ids.
        </EmptyState>
      }
    />
  )
}

function columns(
  products: ReadonlyMap<string, ProductFacts>,
  earlier: readonly Row[] | undefined,
  order: (typeof ORDERS)[number]['value'],
): readonly Column<Row>[] {
  const before = new Map(earlier?.map((row) => [row.document_id, row]))
  const figure = (row: Row): number | undefined =>
    order === 'revenue' ? (amountOf(row.revenue) ?? undefined) : row[order]
  return [
    textColumn('product', 'Product', ({ document_id: id }) => products.get(id)?.title ?? id, {
      cell: ({ document_id: id }) => <ProductName id={id} products={products} />,
      width: '44%',
    }),
    numberColumn('impressions', 'Seen', ({ impressions }) => impressions),
    numberColumn('clicks', 'Clicks', ({ clicks }) => clicks, { isMain: true }),
    numberColumn('rate', 'Clicks per view', clickedWhenSeen, { format: formatPercent }),
    numberColumn('conversions', 'Conversions', ({ conversions }) => conversions),
    numberColumn('revenue', 'Revenue', ({ revenue }) => amountOf(revenue), {
      cell: ({ revenue }) => (
        <span title={revenueTexts(revenue).join(' + ')}>{revenueText(revenue)}</span>
      ),
    }),
    ...comparedColumn(
      earlier !== undefined,
      `${ORDERS.find(({ value }) => value === order)!.label}, compared period`,
      (row: Row) => {
        const was = before.get(row.document_id)
        return was && figure(was)
      },
      {
        cell: (row) => {
          const was = before.get(row.document_id)
          if (was === undefined) return '–'
          const text = order === 'revenue' ? revenueText(was.revenue) : formatNumber(was[order])
          const isOther = row.revenue[0]?.currency !== was.revenue[0]?.currency
          return order === 'revenue' && isOther ? text : withChange(text, figure(row), figure(was))
        },
      },
    ),
  ]
}

/** `null` if the shop does not report views. */
function clickedWhenSeen({ clicks, impressions }: Row): number | null {
  return impressions === 0 ? null : Math.min(1, clicks / impressions)
}
