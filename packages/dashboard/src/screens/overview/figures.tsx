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
  children,
}: {
  readonly label: string
  readonly to?: string
  readonly children: ReactNode
}): ReactNode {
  return (
    <div className="figure">
      <dt className="small muted">{label}</dt>
      <dd className="figure-value number">
        {to === undefined ? children : <Link href={to}>{children}</Link>}
      </dd>
    </div>
  )
}
