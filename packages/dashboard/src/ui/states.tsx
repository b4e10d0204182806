import { CircleCheck, Info, RefreshCw, TriangleAlert, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { failureText, type Attempt } from '../api/failure.ts'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
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

/** Shown instead of content that could not be loaded. */
export function ErrorState({
  error,
  onRetry,
}: {
  readonly error: unknown
  readonly onRetry?: () => void
}): ReactNode {
  const { title, why, advice } = failureText(error, 'load')
  return (
    <div className="state" role="alert">
      <span className="state-icon state-icon-bad" aria-hidden>
        <TriangleAlert size={20} />
      </span>
      <h2>{title}</h2>
      <p className="state-text muted">
        {why}
        {advice !== undefined && ` ${advice}`}
      </p>
      <SmallPrint error={error} />
      {onRetry !== undefined && (
        <div className="state-action">
          <Button icon={RefreshCw} onPress={onRetry}>
            Try again
          </Button>
        </div>
      )}
    </div>
  )
}

/** Shown beside a form or a button whose action failed. */
export function ErrorNote({
  error,
  attempt,
}: {
  readonly error: unknown
  readonly attempt?: Attempt
}): ReactNode {
  const { title, why, advice } = failureText(error, attempt)
  return (
    <Note kind="bad">
      <p className="strong">{title}</p>
      <p>
        {why}
        {advice !== undefined && ` ${advice}`}
      </p>
      <SmallPrint error={error} />
    </Note>
  )
}

function SmallPrint({ error }: { readonly error: unknown }): ReactNode {
  const { code, requestId } = failureText(error)
  if (code === undefined && requestId === undefined) return null
  return (
    <div className="row small muted">
      {code !== undefined && <code>{code}</code>}
      {requestId !== undefined && (
        <>
          <span>request {requestId.slice(0, 8)}</span>
          <CopyButton text={requestId} label="Copy request id" />
        </>
      )}
    </div>
  )
}

const ICONS = { info: Info, good: CircleCheck, warn: TriangleAlert, bad: TriangleAlert }

/** An important sentence, beside its subject. */
export function Note({
  kind = 'info',
  children,
}: {
  readonly kind?: keyof typeof ICONS
  readonly children: ReactNode
}): ReactNode {
  const Icon = ICONS[kind]
  return (
    <div className={`note note-${kind}`} role={kind === 'bad' ? 'alert' : undefined}>
      <Icon size={16} aria-hidden />
      <div className="grow">{children}</div>
    </div>
  )
}

/** A placeholder of about the size of the content to come. */
export function Skeleton({
  width = '100%',
  height = 16,
}: {
  readonly width?: number | string
  readonly height?: number | string
}): ReactNode {
  return <span className="skeleton" style={{ width, height }} aria-hidden />
}

/** A placeholder for lines of text. */
export function SkeletonLines({ count = 3 }: { readonly count?: number }): ReactNode {
  return (
    <div className="stack" role="status" aria-label="Loading">
      {Array.from({ length: count }, (_, i) => (
        <Skeleton key={i} width={`${92 - ((i * 17) % 40)}%`} />
      ))}
    </div>
  )
}
