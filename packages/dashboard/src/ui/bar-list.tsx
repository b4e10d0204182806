import type { ReactNode } from 'react'
import { formatNumber } from '../format/numbers.ts'
import './chart.css'

export interface Bar {
  readonly id: string
  readonly label: ReactNode
  readonly value: number
  /** Beside the value: a share, a change. */
  readonly note?: ReactNode
}

/** Values side by side, with bars behind the words; all bars start at zero on the left. */
export function BarList({
  bars,
  label,
}: {
  readonly bars: readonly Bar[]
  readonly label: string
}): ReactNode {
  const max = Math.max(...bars.map(({ value }) => value), 0)
  return (
    <ul className="stack gap-4" aria-label={label}>
      {bars.map(({ id, label: text, value, note }) => (
        <li key={id} className="bar">
          <span
            className="bar-fill"
            style={{ width: max === 0 ? 0 : `${(100 * value) / max}%` }}
            aria-hidden
          />
          <span className="bar-label cut">{text}</span>
          <span className="number">{formatNumber(value)}</span>
          {note !== undefined && <span className="small muted number">{note}</span>}
        </li>
      ))}
    </ul>
  )
}
