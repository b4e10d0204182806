import type { ReactNode } from 'react'
import { Link } from 'wouter'
import './overview.css'

/** A few numbers beside each other. */
export function Figures({ children }: { readonly children: ReactNode }): ReactNode {
  return <dl className="figures">{children}</dl>
}

/** A number, and the way to what is behind it. */
export function Figure({
  label,
  to,
  note,
  children,
}: {
  readonly label: string
  readonly to?: string
  /** Below the number. */
  readonly note?: ReactNode
  readonly children: ReactNode
}): ReactNode {
  return (
    <div className="figure">
      <dt className="small muted">{label}</dt>
      <dd className="figure-value number">
        {to === undefined ? children : <Link href={to}>{children}</Link>}
      </dd>
      {note !== undefined && <dd>{note}</dd>}
    </div>
  )
}
