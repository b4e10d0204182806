import type { Resource, ResourceKind } from '../../domain/store/resource.ts'

export type { Resource, ResourceKind }

/**
 * The resources of a store at one moment: settings, synonym sets, presets … A resource is the same
 * object until it changes, and a list the same array until one of its kind changes, so a WeakMap
 * can cache derived values.
 */
export interface StoreResources {
  get(kind: ResourceKind, name: string): Resource | undefined
  /** Ordered by name. */
  list(kind: ResourceKind): readonly Resource[]
}

/** Synchronous: each thread holds a copy. */
export interface ResourceReader {
  /** Returns the newest acknowledged resources; empty if there is no such store. */
  of(storeId: string): StoreResources
}
