import { RefusedError, settingsToSet } from '@aisle/client'
import type { ResourceKind, ResourceValue, SchemaFieldRequest, StoreClient } from '@aisle/client'

/** In the order in which they are applied: presets and rules may name collections. */
export const RESOURCE_KINDS = [
  'collections',
  'presets',
  // Rules name them.
  'strategies',
  'rules',
  'synonym-sets',
  'stopword-sets',
  'query-sets',
] as const satisfies readonly ResourceKind[]

/** The configuration of a store, without documents and secrets. Absent parts stay unchanged. */
export interface StoreConfiguration {
  readonly schema: readonly SchemaFieldRequest[] | undefined
  readonly settings: ResourceValue | undefined
  readonly resources: ReadonlyMap<ResourceKind, ReadonlyMap<string, ResourceValue>>
}

/** Reads the configuration of a store, without kinds that its service does not know. */
export async function fetchConfiguration(store: StoreClient): Promise<StoreConfiguration> {
  const resources = new Map<ResourceKind, ReadonlyMap<string, ResourceValue>>()
  for (const kind of RESOURCE_KINDS) {
    const found = await unlessUnknown(store.resources(kind))
    if (found === undefined) continue
    resources.set(kind, new Map(found.map(({ name, value }) => [name, value])))
  }
  const settings = await unlessUnknown(store.settings())
  return {
    schema: (await store.schema()).fields,
    settings: settings === undefined ? undefined : settingsToSet(settings),
    resources,
  }
}

async function unlessUnknown<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    if (error instanceof RefusedError && error.code === 'route_not_found') return undefined
    throw error
  }
}
