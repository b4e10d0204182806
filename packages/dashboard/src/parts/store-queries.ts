import {
  RefusedError,
  type NamedResource,
  type ResourceKind,
  type ResourceValue,
  type StoreClient,
} from '@aisle/client'
import type { StoreSchema, StoreSettings } from '@aisle/contract'
import {
  queryOptions,
  useQuery,
  type QueryClient,
  type UseQueryResult,
} from '@tanstack/react-query'
import { isPattern } from './field-types.ts'
import { useRefresh, useStore } from '../session/store.ts'

/** The fields of the store. */
export function useSchema(): UseQueryResult<StoreSchema> {
  const { storeId, calls } = useStore()
  return useQuery({ ...schemaQuery(storeId, calls), select: withoutPatterns })
}

export function schemaQuery(storeId: string, calls: StoreClient) {
  return queryOptions({ queryKey: ['schema', storeId], queryFn: () => calls.schema() })
}

/** The fields of the store, and the patterns that add fields as products bring them. */
export function useDeclaredSchema(): UseQueryResult<StoreSchema> {
  const { storeId, calls } = useStore()
  return useQuery({
    ...schemaQuery(storeId, calls),
    refetchInterval: ({ state }) => (state.data?.change?.state === 'running' ? PROGRESS_MS : false),
  })
}

/** Between two looks at a change in progress. */
const PROGRESS_MS = 1_000

function withoutPatterns({ fields }: StoreSchema): StoreSchema {
  const names = new Set(fields.map(({ name }) => name))
  return { fields: fields.filter(({ name }) => !isPattern(name, names)) }
}

export function useSettings(): UseQueryResult<StoreSettings> {
  const { storeId, calls } = useStore()
  return useQuery(settingsQuery(storeId, calls))
}

function settingsQuery(storeId: string, calls: StoreClient) {
  return queryOptions({ queryKey: ['settings', storeId], queryFn: () => calls.settings() })
}

/** Asks for the schema and the settings while the code of a screen loads. */
export function beginWithFields({
  queries,
  storeId,
  calls,
}: {
  readonly queries: QueryClient
  readonly storeId: string
  readonly calls: StoreClient
}): void {
  void queries.prefetchQuery(schemaQuery(storeId, calls))
  void queries.prefetchQuery(settingsQuery(storeId, calls))
}

/** Sets, presets or rules of the store, by name. */
export function useResources(kind: ResourceKind): UseQueryResult<readonly NamedResource[]> {
  const { storeId, calls } = useStore()
  return useQuery({ queryKey: [kind, storeId], queryFn: () => calls.resources(kind) })
}

/** Attempts to change the newest version while others change it too. */
const ATTEMPTS_MAX = 5

/**
 * The ways to change resources of a kind.
 *
 * @param shownBy subjects of queries that show what they do
 */
export function useResourceChanges(
  kind: ResourceKind,
  ...shownBy: readonly string[]
): {
  /** Creates or replaces it. @param base what is replaced; the change fails if it is another */
  readonly put: (name: string, value: object, base?: object) => Promise<void>
  /** Changes the newest version, so that nobody else's change is lost. */
  readonly change: (name: string, change: (newest: ResourceValue) => object) => Promise<void>
  readonly remove: (name: string) => Promise<void>
} {
  const { calls } = useStore()
  const refresh = useRefresh()
  const change = async (name: string, change: (newest: ResourceValue) => object): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      try {
        const { value, etag } = await calls.taggedResource(kind, name)
        await calls.putResource(kind, name, change(value) as ResourceValue, etag)
        break
      } catch (error) {
        if (!isChangedMeanwhile(error)) throw error
        if (attempt < ATTEMPTS_MAX && !(error instanceof ChangedMeanwhileError)) continue
        // The screen gets the newest version, and compares it with the draft.
        await refresh(kind, ...shownBy)
        throw error
      }
    }
    await refresh(kind, ...shownBy)
  }
  return {
    change,
    put: async (name, value, base) => {
      if (base !== undefined) {
        return change(name, (newest) => {
          requireUnchanged(newest, base)
          return value
        })
      }
      await calls.putResource(kind, name, value as ResourceValue)
      await refresh(kind, ...shownBy)
    },
    remove: async (name) => {
      await calls.deleteResource(kind, name)
      await refresh(kind, ...shownBy)
    },
  }
}

/** Somebody else saved what is being edited. */
class ChangedMeanwhileError extends RefusedError {
  constructor() {
    super(412, { code: 'precondition_failed' }, 'Someone else has saved it since you started.')
  }
}

/** @throws ChangedMeanwhileError unless what is saved now is what an edit began with */
export function requireUnchanged(newest: unknown, base: unknown): void {
  if (JSON.stringify(newest) !== JSON.stringify(base)) throw new ChangedMeanwhileError()
}

export function isChangedMeanwhile(error: unknown): boolean {
  return error instanceof RefusedError && error.status === 412
}
