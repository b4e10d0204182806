import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import './state.css'

export interface EmptyStateProps {
  readonly icon: LucideIcon
  /** What will be here. */
  readonly title: string
  /** Why it is useful. */
  readonly children?: ReactNode
  /** One button, and at most one link. */
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
