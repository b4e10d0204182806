import type { ReactNode } from 'react'
import { changeOf, type Figure, type Totals } from './figures.ts'
import './figure-change.css'

/** How a figure has changed since the period that it is compared with. */
export function FigureChange({
  figure,
  now,
  before,
}: {
  readonly figure: Figure
  readonly now: Totals
  readonly before: Totals
}): ReactNode {
  const change = changeOf(figure, now, before)
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
      <span className="muted">from {figure.text(before)}</span>
    </span>
  )
}
