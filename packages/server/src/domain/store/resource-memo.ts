import type { Resource } from './resource.ts'

/**
 * Makes something of a resource once per thread and change: resources are never changed, so what
 * was made is kept as long as the resource is.
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
