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
  /** Creates it, or replaces the base. @returns what is stored now */
  readonly put: (name: string, value: object, base?: Base) => Promise<Version>
  /** Changes the newest version, so that nobody else's change is lost. */
  readonly change: (name: string, change: (newest: ResourceValue) => object) => Promise<Version>
  readonly remove: (name: string, base: Base) => Promise<void>
} {
  const { calls } = useStore()
  const refresh = useRefresh()
  const readAgain = () => refresh(kind, ...shownBy)
  /** Writes over the newest version, if it may be replaced. */
  const over = async <Result>(
    name: string,
    write: (newest: ResourceValue, etag: string) => Promise<Result>,
  ): Promise<Result> => {
    for (let attempt = 1; ; attempt++) {
      try {
        const { value, etag } = await calls.taggedResource(kind, name)
        const result = await write(value, etag)
        await readAgain()
        return result
      } catch (error) {
        if (!isChangedMeanwhile(error)) throw error
        if (attempt < ATTEMPTS_MAX && !(error instanceof ChangedMeanwhileError)) continue
        // The screen gets the newest version, and compares it with the draft.
        await readAgain()
        throw error
      }
    }
  }
  const putOver = async (name: string, value: object, etag: string): Promise<Version> =>
    new Version(await calls.putResource(kind, name, value as ResourceValue, etag))
  return {
    change: (name, changed) => over(name, (newest, etag) => putOver(name, changed(newest), etag)),
    put: async (name, value, base) => {
      if (base !== undefined) {
        return over(name, (newest, etag) => {
          requireBase(base, newest, etag)
          return putOver(name, value, etag)
        })
      }
      const etag = await calls.putResource(kind, name, value as ResourceValue)
      await readAgain()
      return new Version(etag)
    },
    remove: (name, base) =>
      over(name, (newest, etag) => {
        requireBase(base, newest, etag)
        return calls.deleteResource(kind, name, etag)
      }),
  }
}

/** What was stored by a write, for an undo: it takes back that, and nothing that came later. */
export class Version {
  readonly etag: string

  constructor(etag: string) {
    this.etag = etag
  }
}

/**
 * What a write replaces: a version, a value as it was read, or a check that throws if something
 * else is stored.
 */
export type Base = object | Version | ((newest: ResourceValue) => void)

/** @throws ChangedMeanwhileError */
function requireBase(base: Base, newest: ResourceValue, etag: string): void {
  if (typeof base === 'function') base(newest)
  else if (!(base instanceof Version)) requireUnchanged(newest, base)
  else if (base.etag !== etag) throw new ChangedMeanwhileError()
}

/**
 * Changes the settings, unless somebody else has since this version of them was shown.
 *
 * @throws RefusedError 412 then
 */
export async function overSettings<Result>(
  calls: StoreClient,
  { version }: Pick<StoreSettings, 'version'>,
  write: (etag: string) => Promise<Result>,
): Promise<Result> {
  const { value, etag } = await calls.taggedSettings()
  requireUnchanged(value.version, version)
  return write(etag)
}

/** Somebody else saved what is being edited. */
export class ChangedMeanwhileError extends RefusedError {
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
