import type { StoreResources } from '../../ports/catalog/resource-reader.ts'
import type { SearchBackend, SearchView } from '../../ports/search/search-backend.ts'

/** Searches one store as if it had other resources. */
export function withResources(backend: SearchBackend, resources: StoreResources): SearchBackend {
  return {
    view(storeId, turns) {
      const view = backend.view(storeId, turns)
      return view === undefined ? undefined : withResourcesOf(view, resources)
    },
  }
}

/** Member by member, because a view may be of a class. */
export function withResourcesOf(view: SearchView, resources: StoreResources): SearchView {
  const { schema, analyzer, version, content, scope } = view
  return {
    schema,
    analyzer,
    resources,
    version,
    content,
    ...(scope === undefined ? {} : { scope }),
    ...(view.askVersion === undefined ? {} : { askVersion: () => view.askVersion!() }),
    ...(view.repeatVersion === undefined
      ? {}
      : { repeatVersion: (key: string) => view.repeatVersion!(key) }),
    docCount: () => view.docCount(),
    search: (plan) => view.search(plan),
    complete: (plan, request) => view.complete(plan, request),
    holds: (stems) => view.holds(stems),
    matchingKeys: (filter, deadlineMs) => view.matchingKeys(filter, deadlineMs),
  }
}
