import type { NamedResource } from '@aisle/client'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useStore } from '../session/store.ts'
import { requireUnchanged, useResourceChanges, Version, type Base } from './store-queries.ts'

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
  /** @param base what is replaced; the change fails if it is another */
  readonly save: (set: QuerySet<Entry>, base?: QuerySet<Entry> | Version) => Promise<Version>
  /** Changes the newest version, so that nobody else's change is lost. */
  readonly change: (
    name: string,
    change: (newest: QuerySet<Entry>) => QuerySet<Entry>,
  ) => Promise<Version>
  readonly remove: (name: string, base: QuerySet<Entry> | Version) => Promise<void>
}

const MEMBER = { 'synonym-sets': 'items', 'stopword-sets': 'stopwords' } as const

const SETS_OF = { 'synonym-sets': setsOf('items'), 'stopword-sets': setsOf('stopwords') } as const

function setsOf(member: (typeof MEMBER)[SetKind]) {
  return (resources: readonly NamedResource[]): readonly QuerySet<unknown>[] =>
    resources.map((resource) => setOf(member, resource))
}

function setOf(member: string, { name, value }: NamedResource): QuerySet<unknown> {
  return {
    name,
    entries: (value[member] ?? []) as readonly unknown[],
    isDefault: value['default'] === true,
  }
}

/** The sets of the open store, and the two ways to change them. */
export function useQuerySets<Entry>(kind: SetKind): QuerySets<Entry> {
  const { storeId, calls } = useStore()
  const { put, change, remove } = useResourceChanges(kind)
  const member = MEMBER[kind]
  const stored = ({ entries, isDefault }: QuerySet<Entry>): object => ({
    [member]: entries,
    default: isDefault,
  })
  const baseOf = (base: QuerySet<Entry> | Version): Base =>
    base instanceof Version
      ? base
      : (value) => requireUnchanged(setOf(member, { name: base.name, value }), base)
  // Screens that read the sets as they are stored share what was fetched.
  const query = useQuery({
    queryKey: [kind, storeId],
    queryFn: () => calls.resources(kind),
    select: SETS_OF[kind],
  }) as UseQueryResult<readonly QuerySet<Entry>[]>
  return {
    query,
    save: (set, base) => put(set.name, stored(set), base && baseOf(base)),
    change: (name, changed) =>
      change(name, (value) => stored(changed(setOf(member, { name, value }) as QuerySet<Entry>))),
    remove: (name, base) => remove(name, baseOf(base)),
  }
}
