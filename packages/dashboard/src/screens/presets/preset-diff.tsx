import type { ReactNode } from 'react'
import { Badge } from '../../ui/badge.tsx'
import type { PresetChange } from './preset-values.ts'

const KINDS = {
  added: ['Added', 'good'],
  removed: ['Removed', 'bad'],
  changed: ['Changed', 'warn'],
} as const

/** The differences, one parameter per line: old and new value. */
export function PresetDiff({
  changes,
  none,
}: {
  readonly changes: readonly PresetChange[]
  /** Said when nothing is. */
  readonly none: string
}): ReactNode {
  if (changes.length === 0) return <p className="muted">{none}</p>
  return (
    <ul className="presets-diff stack">
      {changes.map(({ name, kind, before, after }) => (
        <li key={name}>
          <div className="row">
            <code className="strong">{name}</code>
            <Badge kind={KINDS[kind][1]}>{KINDS[kind][0]}</Badge>
          </div>
          {before !== undefined && (
            <del className="presets-before">
              <code>{before}</code>
            </del>
          )}
          {after !== undefined && (
            <ins className="presets-after">
              <code>{after}</code>
            </ins>
          )}
        </li>
      ))}
    </ul>
  )
}
