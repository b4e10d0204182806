import type { Collection } from '@aisle/contract'
import { collectionFilter } from '@aisle/contract/collection-names'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { fieldErrors } from '../../api/failure.ts'
import { collectionUses, type CollectionUse } from '../../parts/collection-uses.ts'
import {
  useResourceChanges,
  useResources,
  type Base,
  type Version,
} from '../../parts/store-queries.ts'
import { useStore } from '../../session/store.ts'

export type CollectionValue = Omit<Collection, 'name'>

export interface NamedCollection {
  readonly name: string
  readonly value: CollectionValue
}

export interface Collections {
  readonly query: UseQueryResult<readonly NamedCollection[]>
  /** @param base what is replaced; the change fails if it is another */
  readonly save: (name: string, value: CollectionValue, base?: Base) => Promise<Version>
  readonly remove: (name: string, base: Base) => Promise<void>
  readonly uses: ReadonlyMap<string, readonly CollectionUse[]>
}

export function useCollections(): Collections {
  const { put, remove } = useResourceChanges('collections', 'search', 'documents')
  const query = useResources('collections') as unknown as UseQueryResult<readonly NamedCollection[]>
  const [rules, presets] = [useResources('rules'), useResources('presets')]
  return {
    query,
    save: put,
    remove,
    uses: collectionUses(rules.data ?? [], presets.data ?? []),
  }
}

/** Searches of one request. */
const COUNTED_AT_ONCE = 10

/** Products of each collection; a text says why they cannot be counted. */
export function useCollectionCounts(
  names: readonly string[] | undefined,
): UseQueryResult<ReadonlyMap<string, number | string>> {
  const { storeId, calls } = useStore()
  return useQuery({
    queryKey: ['search', storeId, 'collections', names],
    queryFn: async () => {
      const counts = new Map<string, number | string>()
      for (let from = 0; from < names!.length; from += COUNTED_AT_ONCE) {
        const part = names!.slice(from, from + COUNTED_AT_ONCE)
        const queries = part.map((name) => searchOf(collectionFilter(name), 0))
        const { results } = await calls.multiSearch({ queries })
        for (const [at, result] of results.entries()) {
          counts.set(part[at]!, 'found' in result ? result.found : result.error)
        }
      }
      return counts
    },
    enabled: names !== undefined,
  })
}

/** What is wrong with a filter, for people: without the name of the parameter. */
export function filterFault(error: unknown): string | undefined {
  const message = fieldErrors(error)['filter_by']?.replace(/^filter_by, /i, '')
  return message && message.charAt(0).toUpperCase() + message.slice(1)
}

/** A search for the products of a filter, which no report counts. */
export function searchOf(filterBy: string, perPage: number) {
  return { q: '*', filter_by: filterBy, per_page: perPage, analytics: false, apply_rules: false }
}
