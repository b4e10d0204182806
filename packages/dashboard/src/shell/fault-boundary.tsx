import { Component, type ReactNode } from 'react'
import { ErrorState } from '../ui/states.tsx'

interface State {
  readonly error?: unknown
}

/** Contains an error of one screen, so that the rest of the dashboard keeps working. */
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
