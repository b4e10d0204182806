import { TinySearcher } from '../../adapters/embedded/test/tiny-index.ts'
import { followReplica, type ReplicaThreadHost } from '../follow-replica.ts'
import { makeSuggestions } from '../make-suggestions.ts'

await makeSuggestions<ReplicaThreadHost>((host) => followReplica(() => new TinySearcher(), host))
