import type { ReactNode } from 'react'
import { FigureChange } from '../../parts/figure-change.tsx'
import { FIGURES, type Totals } from '../../parts/figures.ts'

/** The figures of a period; the selected one is drawn below them. */
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
            {before !== undefined && <FigureChange figure={figure} now={totals} before={before} />}
          </button>
        )
      })}
    </div>
  )
}
