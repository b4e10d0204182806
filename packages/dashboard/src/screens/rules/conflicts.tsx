import type { RuleConflict } from '@aisle/contract'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { storePath, useStore } from '../../session/store.ts'
import { Note } from '../../ui/states.tsx'
import { conflictText } from './conflict-words.ts'

const CONFLICTS_SHOWN = 5

/** Where other rules contradict this one in the same searches, and which one wins. */
export function Conflicts({
  id,
  conflicts,
  isComplete,
}: {
  /** Of this rule, as the service calls it. */
  readonly id: string
  readonly conflicts: readonly RuleConflict[]
  /** Whether the list did not end at its limit. */
  readonly isComplete: boolean
}): ReactNode {
  const { storeId } = useStore()
  if (conflicts.length === 0) return null
  return (
    <Note kind="warn">
      <ul className="stack gap-6">
        {conflicts.slice(0, CONFLICTS_SHOWN).map((conflict) => {
          const { winner, loser } = conflict
          const other = winner.id === id ? loser : winner
          const text = conflictText(conflict, id)
          return (
            <li key={text}>
              {text}{' '}
              <Link href={`${storePath(storeId, 'rules')}?rule=${encodeURIComponent(other.id)}`}>
                Open “{other.title}”
              </Link>
            </li>
          )
        })}
      </ul>
      {conflicts.length > CONFLICTS_SHOWN && (
        <p className="small">
          And {isComplete ? '' : 'at least '}
          {conflicts.length - CONFLICTS_SHOWN} more.
        </p>
      )}
    </Note>
  )
}
