import type { Resource, ResourceKind } from '../domain/store/resource.ts'

export type { Resource, ResourceKind }

/**
 * What a store keeps besides documents: settings, synonym sets, presets … as of the newest acknowledged
 * change. Synchronous: each thread holds a copy. A resource is the same object until it is changed, and a
 * list the same array until one of its kind is, so derived values can be kept in a WeakMap.
 */
export interface ResourceReader {
  get(storeId: string, kind: ResourceKind, name: string): Resource | undefined
  /** In the order of their names; empty when there is no such store. */
  list(storeId: string, kind: ResourceKind): readonly Resource[]
}
