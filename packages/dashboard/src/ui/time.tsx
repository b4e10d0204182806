import type { ReactNode } from 'react'
import { formatExactTime, formatRelative } from '../format/time.ts'
import { useNow } from '../state/clock.ts'
import { TextHint } from './hint.tsx'

/** "3 minutes ago", the exact time in a tooltip. */
export function Time({ at }: { readonly at: string | number }): ReactNode {
  const nowMs = useNow()
  const ms = typeof at === 'number' ? at : Date.parse(at)
  if (!Number.isFinite(ms)) return '–'
  return (
    <TextHint text={formatExactTime(ms)}>
      <time dateTime={new Date(ms).toISOString()}>{formatRelative(ms, nowMs)}</time>
    </TextHint>
  )
}
