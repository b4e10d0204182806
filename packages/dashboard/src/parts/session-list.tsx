import type { Session } from '@aisle/client'
import type { ReactNode } from 'react'
import { Time } from '../ui/time.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ErrorNote, SkeletonLines } from '../ui/states.tsx'
import './session-list.css'

const BROWSERS: readonly [pattern: RegExp, name: string][] = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const SYSTEMS: readonly [pattern: RegExp, name: string][] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS/, 'macOS'],
  [/Linux/, 'Linux'],
]

/** Where somebody is logged in. */
export function SessionList({
  sessions,
  error,
  onEnd,
}: {
  readonly sessions: readonly Session[] | undefined
  readonly error: unknown
  readonly onEnd: (sessionId: string) => void
}): ReactNode {
  if (error !== null && error !== undefined && sessions === undefined)
    return <ErrorNote attempt="load" error={error} />
  if (sessions === undefined) return <SkeletonLines count={2} />
  if (sessions.length === 0) return <p className="muted">No active sessions.</p>
  return (
    <ul className="session-list lined">
      {sessions.map((one) => (
        <li key={one.session_id} className="row row-whole gap-12">
          <div className="grow">
            <p className="row">
              <span className="strong">{browserOf(one.user_agent)}</span>
              {one.current && <Badge kind="accent">This session</Badge>}
            </p>
            <p className="small muted">
              {one.address} · since <Time at={one.created_at} /> · last used{' '}
              <Time at={one.last_used_at} />
            </p>
          </div>
          {!one.current && (
            <Button size="small" onPress={() => onEnd(one.session_id)}>
              End session
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

/** `Firefox on Linux`; an unknown browser is shown as sent. */
export function browserOf(userAgent: string): string {
  const name = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1]
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1]
  if (name === undefined) return userAgent === '' ? 'Unknown client' : userAgent.slice(0, 60)
  return system === undefined ? name : `${name} on ${system}`
}
