import { makeSuggestions } from '@aisle/server/make-suggestions'
import type { FollowedCatalog, SuggestionsThreadHost } from '@aisle/server/make-suggestions'
import type { FollowedStores } from '@aisle/server/ports'

/** The calls of the thread to its node, because only the node talks to the cluster. */
export type ClusterThreadHost = SuggestionsThreadHost & {
  [Name in keyof FollowedStores]: (
    ...of: Parameters<FollowedStores[Name]>
  ) => Promise<Awaited<ReturnType<FollowedStores[Name]>>>
} & {
  [Name in 'namesOf' | 'spell']: (
    ...of: Parameters<FollowedCatalog[Name]>
  ) => Promise<Awaited<ReturnType<FollowedCatalog[Name]>>>
}

/** Entry of the thread that builds suggestions on a node of a cluster. */
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
