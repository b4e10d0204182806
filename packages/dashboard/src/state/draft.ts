import { useStored } from './stored.ts'

export interface Draft<Value> {
  readonly value: Value
  readonly set: (value: Value) => void
  /** Published, or given up: back to what there was. */
  readonly clear: () => void
  readonly isChanged: boolean
}

/**
 * What is being written and not yet saved. It survives a reload, a session that ends, and a walk to
 * another page and back; it ends with the tab.
 *
 * @param name unique, with the ids of what is edited: `rule/${storeId}/${ruleId}`
 * @param saved what it starts from
 */
export function useDraft<Value>(name: string, saved: Value): Draft<Value> {
  const [value, set, clear] = useStored<Value | undefined>(
    sessionStorage,
    `aisle.draft.${name}`,
    undefined,
  )
  return {
    value: value ?? saved,
    set,
    clear,
    isChanged: value !== undefined && JSON.stringify(value) !== JSON.stringify(saved),
  }
}
