import type { Resource, ResourceKind } from '../../domain/store/resource.ts'

export type { Resource, ResourceKind }

/**
 * What a store keeps besides documents, at one moment: settings, synonym sets, presets … A resource
 * is the same object until it is changed, and a list the same array until one of its kind is, so
 * derived values can be kept in a WeakMap.
 */
export interface StoreResources {
  get(kind: ResourceKind, name: string): Resource | undefined
  /** In the order of their names. */
  list(kind: ResourceKind): readonly Resource[]
}

/** Synchronous: each thread holds a copy. */
export interface ResourceReader {
  /** As of the newest acknowledged change; empty when there is no such store. */
  of(storeId: string): StoreResources
}
