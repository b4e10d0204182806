import type { ReactNode } from 'react'
import { formatPercent, formatNumber } from '../../format/numbers.ts'
import { BarList } from '../../ui/bar-list.tsx'
import { ErrorNote, Skeleton } from '../../ui/states.tsx'
import { useReport } from './report-data.ts'
import { histogramOf } from './histogram.ts'

const STEPS = {
  search: 'Searched',
  click: 'Clicked a product',
  add: 'Added to cart',
  order: 'Ordered',
} as const

export function Funnel(): ReactNode {
  const { data, error } = useReport('funnel')
  if (error !== null) return <ErrorNote attempt="load" error={error} />
  if (data === undefined) return <Skeleton height={132} />
  const isSilent = data.rows.some(({ rate }) => rate === null)
  return (
    <>
      <BarList
        label="Steps from search to order"
        bars={data.rows.map(({ step, journeys, rate }, i) => {
          const before = data.comparison?.rows[i]?.rate
          return {
            id: step,
            label: STEPS[step],
            value: journeys,
            note:
              before === undefined
                ? formatPercent(rate)
                : `${formatPercent(rate)} from ${formatPercent(before)}`,
          }
        })}
      />
      {isSilent && data.totals.journeys > 0 && (
        <p className="small muted">“–”: your shop sends no events for this step.</p>
      )}
    </>
  )
}

/** A column per position, further ones together. */
export function Positions(): ReactNode {
  const { data, error } = useReport('clicks', { limit: 1_000 }, { isCompared: false })
  if (error !== null) return <ErrorNote attempt="load" error={error} />
  if (data === undefined) return <Skeleton height={150} />
  const columns = histogramOf(data.rows)
  const total = columns.reduce((sum, { clicks }) => sum + clicks, 0)
  if (total === 0) {
    return (
      <p className="muted">
        No click in this period has a position. Send <code>position</code> with each click.
      </p>
    )
  }
  const max = Math.max(...columns.map(({ clicks }) => clicks))
  return (
    <ul className="analytics-histogram" aria-label="Clicks by position">
      {columns.map(({ label, clicks, isGroup }) => (
        <li key={label} title={`Position ${label}: ${formatNumber(clicks)} clicks`}>
          <span className="small muted number">{formatPercent(clicks / total, 0)}</span>
          <span
            className={isGroup ? 'analytics-column analytics-column-group' : 'analytics-column'}
            style={{ height: `${(100 * clicks) / max}px` }}
            aria-hidden
          />
          <span className="small number">
            <span className="visually-hidden">Position </span>
            {label}
          </span>
          <span className="visually-hidden">{formatNumber(clicks)} clicks</span>
        </li>
      ))}
    </ul>
  )
}
