import { createPassingSearcher } from '../adapters/embedded/lazy-searcher.ts'
import { followReplica, type ReplicaThreadHost } from './follow-replica.ts'
import { makeSuggestions } from './make-suggestions.ts'
import { BACKGROUND_NICENESS, lowerThreadPriority } from './thread-priority.ts'

/** Entry of the thread that makes suggestions. */
lowerThreadPriority(BACKGROUND_NICENESS)
await makeSuggestions<ReplicaThreadHost>((host) => followReplica(createPassingSearcher, host))
