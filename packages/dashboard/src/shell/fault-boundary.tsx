import { Component, type ReactNode } from 'react'
import { ErrorState } from '../ui/error-state.tsx'

interface State {
  readonly error?: unknown
}

/** A fault of one screen leaves the rest of the dashboard standing. */
export class FaultBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = {}

  static getDerivedStateFromError(error: unknown): State {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return <ErrorState error={error} onRetry={() => location.reload()} />
  }
}
