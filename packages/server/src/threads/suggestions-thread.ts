import { createSearcher } from '../adapters/embedded/searcher.ts'
import { makeSuggestions } from './make-suggestions.ts'

/** Entry of the thread that makes suggestions. */
await makeSuggestions(createSearcher)
