import { RefreshCw, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { failureText } from '../api/failure.ts'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { Note } from './note.tsx'
import './state.css'

/** Shown instead of content that could not be loaded. */
export function ErrorState({
  error,
  onRetry,
}: {
  readonly error: unknown
  readonly onRetry?: () => void
}): ReactNode {
  const { title, why, advice } = failureText(error)
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
export function ErrorNote({ error }: { readonly error: unknown }): ReactNode {
  const { title, why, advice } = failureText(error)
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
