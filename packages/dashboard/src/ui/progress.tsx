import type { ReactNode } from 'react'
import './progress.css'

/** A progress bar. @param value 0..1 */
export function Progress({
  value,
  label,
}: {
  readonly value: number
  readonly label: string
}): ReactNode {
  return <progress className="progress" value={value} aria-label={label} />
}
