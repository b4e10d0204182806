import type { Resource } from './resource.ts'

/**
 * Derives a value from a resource once per thread and change. Resources are immutable, so the value
 * is kept as long as the resource.
 */
export function resourceMemo<T>(make: (resource: Resource) => T): (resource: Resource) => T {
  const made = new WeakMap<Resource, { readonly value: T }>()
  return (resource) => {
    let entry = made.get(resource)
    if (entry === undefined) {
      entry = { value: make(resource) }
      made.set(resource, entry)
    }
    return entry.value
  }
}
