import { useMemo, type ReactNode } from 'react'
import { Link } from 'wouter'
import { storePath, useStore } from '../../session/store.ts'
import { Note } from '../../ui/states.tsx'
import { conflictsByRule } from './rule-conflicts.ts'
import type { NamedRule, RuleValue } from './rule-draft.ts'

const CONFLICTS_SHOWN = 5

/** Where other rules contradict this one in the same searches, and which one wins. */
export function Conflicts({
  id,
  rule,
  others,
}: {
  readonly id: string
  readonly rule: RuleValue
  readonly others: readonly NamedRule[]
}): ReactNode {
  const { storeId } = useStore()
  const conflicts = useMemo(() => {
    const draft = { id, value: rule }
    return conflictsByRule([draft, ...others.filter((other) => other.id !== id)]).get(id) ?? []
  }, [id, rule, others])
  if (conflicts.length === 0) return null
  return (
    <Note kind="warn">
      <ul className="stack gap-6">
        {conflicts.slice(0, CONFLICTS_SHOWN).map(({ text, otherId, isOverruled }) => (
          <li key={text}>
            {text} {isOverruled ? 'The other one wins.' : 'This one wins.'}{' '}
            <Link href={`${storePath(storeId, 'rules')}?rule=${encodeURIComponent(otherId)}`}>
              Open {otherId}
            </Link>
          </li>
        ))}
      </ul>
      {conflicts.length > CONFLICTS_SHOWN && (
        <p className="small">And {conflicts.length - CONFLICTS_SHOWN} more.</p>
      )}
    </Note>
  )
}
