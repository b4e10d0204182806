import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import './state.css'

export interface EmptyStateProps {
  readonly icon: LucideIcon
  /** What will be here. */
  readonly title: string
  /** Why it is worth it. */
  readonly children?: ReactNode
  /** One button, and a link at most. */
  readonly action?: ReactNode
}

export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps): ReactNode {
  return (
    <div className="state">
      <span className="state-icon" aria-hidden>
        <Icon size={20} />
      </span>
      <h2>{title}</h2>
      {children !== undefined && <div className="state-text muted">{children}</div>}
      {action !== undefined && <div className="row state-action">{action}</div>}
    </div>
  )
}
