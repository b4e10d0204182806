import type { ReactNode } from 'react'
import { formatNumber, formatPercent } from '../../format/numbers.ts'
import { ErrorNote, Skeleton } from '../../ui/states.tsx'
import { histogramOf } from './histogram.ts'
import { useReport } from './report-data.ts'

/** A column per position, further ones together. */
export function Positions(): ReactNode {
  const { data, error } = useReport('clicks', { limit: 1_000 }, { isCompared: false })
  if (error !== null) return <ErrorNote error={error} />
  if (data === undefined) return <Skeleton height={150} />
  const columns = histogramOf(data.rows)
  const total = columns.reduce((sum, { clicks }) => sum + clicks, 0)
  if (total === 0) {
    return (
      <p className="muted">
        No click in this period names a position. Send <code>position</code> with each click.
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
