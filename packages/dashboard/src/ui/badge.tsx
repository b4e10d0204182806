import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import './badge.css'

/** A state in one word. The meaning is in the word; the colour only supports it. */
export function Badge({
  kind = 'plain',
  children,
}: {
  readonly kind?: 'plain' | 'good' | 'warn' | 'bad' | 'accent'
  readonly children: ReactNode
}): ReactNode {
  return <span className={`badge badge-${kind}`}>{children}</span>
}

/** A choice that can be removed: a filter, a word. */
export function Chip({
  children,
  onRemove,
  removeLabel = 'Remove',
}: {
  readonly children: ReactNode
  readonly onRemove?: () => void
  readonly removeLabel?: string
}): ReactNode {
  return (
    <span className="chip">
      <span className="cut">{children}</span>
      {onRemove !== undefined && (
        <button type="button" className="chip-remove" aria-label={removeLabel} onClick={onRemove}>
          <X size={12} aria-hidden />
        </button>
      )}
    </span>
  )
}
