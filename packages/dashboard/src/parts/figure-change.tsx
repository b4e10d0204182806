import type { ReactNode } from 'react'
import { changeOf, revenueChanges, type Figure, type Totals } from './figures.ts'
import './figure-change.css'

interface FigureProps {
  readonly figure: Figure
  readonly now: Totals
  /** Absent: nothing is compared. */
  readonly before?: Totals | undefined
}

/** A figure of a period. Amounts of several currencies have a line each, with their change. */
export function FigureValue({ figure, now, before }: FigureProps): ReactNode {
  if (!hasLines(figure, now)) return figure.text(now)
  return revenueChanges(now.revenue, before?.revenue).map(({ text, change }) => (
    <span key={text} className="figure-line">
      {text}{' '}
      {change !== undefined && (
        <span className={`small figure-news-${change.news}`}>{change.text}</span>
      )}
    </span>
  ))
}

/** How a figure has changed since the period that it is compared with. */
export function FigureChange({ figure, now, before }: FigureProps): ReactNode {
  if (before === undefined || hasLines(figure, now)) return null
  const change = changeOf(figure, now, before)
  const was = figure.text(before)
  if (change === undefined && was === figure.text(now)) return null
  return (
    <span className="small number figure-change">
      {change !== undefined && (
        <>
          <span className={`figure-news-${change.news}`}>
            {change.text}
            {change.amount !== undefined && ` (${change.amount})`}
          </span>{' '}
        </>
      )}
      <span className="muted">from {was}</span>
    </span>
  )
}

function hasLines({ id }: Figure, { revenue }: Totals): boolean {
  return id === 'revenue' && revenue.length > 1
}
