import type { ReactNode } from 'react'
import { changeOf, FIGURES, type Totals } from './figures.ts'

/** The figures of a period; the pressed one is drawn below them. */
export function FigureTiles({
  totals,
  before,
  chosen,
  onChoose,
}: {
  readonly totals: Totals
  readonly before: Totals | undefined
  readonly chosen: string
  readonly onChoose: (id: string) => void
}): ReactNode {
  return (
    <div className="analytics-tiles">
      {FIGURES.map((figure) => {
        const change = before === undefined ? undefined : changeOf(figure, totals, before)
        return (
          <button
            key={figure.id}
            type="button"
            className="analytics-tile"
            aria-pressed={figure.id === chosen}
            onClick={() => onChoose(figure.id)}
          >
            <span className="small muted">{figure.label}</span>
            <span className="analytics-value number">{figure.text(totals)}</span>
            {before !== undefined && (
              <span className="small number analytics-change">
                {change !== undefined && (
                  <span className={`analytics-news-${change.news}`}>{change.text} </span>
                )}
                <span className="muted">from {figure.text(before)}</span>
              </span>
            )}
          </button>
        )
      })}
    </div>
  )
}
