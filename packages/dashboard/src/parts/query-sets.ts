import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useStore } from '../session/store.ts'
import { useResourceChanges } from './store-queries.ts'

/** Synonym sets and stopword sets: named lists that change queries. */
export type SetKind = 'synonym-sets' | 'stopword-sets'

/** A set of any kind, with its entries under one name. */
export interface QuerySet<Entry> {
  readonly name: string
  readonly entries: readonly Entry[]
  /** Applies to every search that names no set of its kind. */
  readonly isDefault: boolean
}

export interface QuerySets<Entry> {
  readonly query: UseQueryResult<readonly QuerySet<Entry>[]>
  readonly save: (set: QuerySet<Entry>) => Promise<void>
  readonly remove: (name: string) => Promise<void>
}

const MEMBER = { 'synonym-sets': 'items', 'stopword-sets': 'stopwords' } as const

/** The sets of the open store, and the two ways to change them. */
export function useQuerySets<Entry>(kind: SetKind): QuerySets<Entry> {
  const { storeId, calls } = useStore()
  const { put, remove } = useResourceChanges(kind)
  const query = useQuery({
    queryKey: [kind, storeId],
    queryFn: async () =>
      (await calls.resources(kind)).map(({ name, value }) => ({
        name,
        entries: (value[MEMBER[kind]] ?? []) as readonly Entry[],
        isDefault: value['default'] === true,
      })),
  })
  return {
    query,
    save: ({ name, entries, isDefault }) =>
      put(name, { [MEMBER[kind]]: entries, default: isDefault }),
    remove,
  }
}
