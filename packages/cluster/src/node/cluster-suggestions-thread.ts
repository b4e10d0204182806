import type { FollowedStores } from '../ports/followed-stores.ts'
import { makeSuggestions } from './make-suggestions.ts'
import type { FollowedCatalog, SuggestionsThreadHost } from './make-suggestions.ts'
import { BACKGROUND_NICENESS, lowerThreadPriority } from './thread-priority.ts'

/** What the thread asks its node: only that one talks to the cluster. */
export type ClusterThreadHost = SuggestionsThreadHost & {
  [Name in keyof FollowedStores]: (
    ...of: Parameters<FollowedStores[Name]>
  ) => Promise<Awaited<ReturnType<FollowedStores[Name]>>>
} & {
  [Name in 'namesOf' | 'spell']: (
    ...of: Parameters<FollowedCatalog[Name]>
  ) => Promise<Awaited<ReturnType<FollowedCatalog[Name]>>>
}

/** Entry of the thread that makes suggestions on a node of a cluster. */
lowerThreadPriority(BACKGROUND_NICENESS)
await makeSuggestions<ClusterThreadHost>((host) => ({
  stores: {
    stores: () => host.call('host', 'stores', []),
    areKnown: () => host.call('host', 'areKnown', []),
    stamp: (storeId) => host.call('host', 'stamp', [storeId]),
    contentOf: (storeId) => host.call('host', 'contentOf', [storeId]),
    docKeys: (storeId, ids) => host.call('host', 'docKeys', [storeId, ids]),
  },
  namesOf: (storeId) => host.call('host', 'namesOf', [storeId]),
  spell: (storeId, texts) => host.call('host', 'spell', [storeId, texts]),
}))
