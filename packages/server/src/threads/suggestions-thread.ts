import { createPassingSearcher } from '../adapters/embedded/lazy-searcher.ts'
import { followReplica, type ReplicaThreadHost } from './follow-replica.ts'
import { makeSuggestions } from './make-suggestions.ts'

/** Entry of the thread that builds suggestions. */
await makeSuggestions<ReplicaThreadHost>((host) => followReplica(createPassingSearcher, host))
