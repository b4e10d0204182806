import { useStored } from './stored.ts'

export interface Draft<Value> {
  readonly value: Value
  readonly set: (value: Value) => void
  /** Discards the draft, after it was published or given up. */
  readonly clear: () => void
  readonly isChanged: boolean
  /** What was saved when the draft began. */
  readonly base: Value
  readonly saved: Value
  /** Somebody else saved another value after the draft began. */
  readonly isOutdated: boolean
  /** Continues with this value, as if the draft began with what is saved now. */
  readonly rebase: (value: Value) => void
}

/**
 * Unsaved work. It survives a reload, the end of a session, and visits to other pages, but not the
 * tab.
 *
 * @param name unique, with the ids of the edited thing: `rule/${storeId}/${ruleId}`
 * @param saved the value it starts from
 */
export function useDraft<Value>(name: string, saved: Value): Draft<Value> {
  const [kept, setKept, clearKept] = useKept<Value>(`draft.${name}`)
  const [keptBase, setBase, clearBase] = useKept<Value>(`draft-base.${name}`)
  const base = kept === undefined ? saved : (keptBase ?? saved)
  // An edit that was taken back follows what others save.
  const value = kept === undefined || isSame(kept, base) ? saved : kept
  return {
    value,
    set: (next) => {
      setBase(isSame(value, saved) ? saved : base)
      setKept(next)
    },
    clear: () => {
      clearKept()
      clearBase()
    },
    isChanged: !isSame(value, saved),
    base,
    saved,
    isOutdated: isDraftOutdated(base, value, saved),
    rebase: (next) => {
      setBase(saved)
      setKept(next)
    },
  }
}

function useKept<Value>(key: string) {
  return useStored<Value | undefined>(sessionStorage, `aisle.${key}`, undefined)
}

/** Whether saving the draft would undo a change that its author has not seen. */
export function isDraftOutdated(base: unknown, draft: unknown, saved: unknown): boolean {
  return !isSame(base, saved) && !isSame(draft, saved) && !isSame(draft, base)
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}
