import { useStored } from './stored.ts'

export interface Draft<Value> {
  readonly value: Value
  readonly set: (value: Value) => void
  /** Discards the draft, after it was published or given up. */
  readonly clear: () => void
  readonly isChanged: boolean
}

/**
 * Unsaved work. It survives a reload, the end of a session, and visits to other pages, but not the
 * tab.
 *
 * @param name unique, with the ids of the edited thing: `rule/${storeId}/${ruleId}`
 * @param saved the value it starts from
 */
export function useDraft<Value>(name: string, saved: Value): Draft<Value> {
  const [value, set, clear] = useStored<Value | undefined>(
    sessionStorage,
    `aisle.draft.${name}`,
    undefined,
  )
  return { value: value ?? saved, set, clear, isChanged: isDraftChanged(value, saved) }
}

/** @param draft undefined if nothing was edited */
export function isDraftChanged(draft: unknown, saved: unknown): boolean {
  return draft !== undefined && JSON.stringify(draft) !== JSON.stringify(saved)
}
