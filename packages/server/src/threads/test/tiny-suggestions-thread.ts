import { TinySearcher } from '../../adapters/embedded/test/tiny-index.ts'
import { makeSuggestions } from '../make-suggestions.ts'

await makeSuggestions(() => new TinySearcher())
