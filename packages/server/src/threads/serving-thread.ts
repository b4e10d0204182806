import { createSearcher } from '../adapters/embedded/searcher.ts'
import { flushCompiledCode } from './code-cache.ts'
import { serve } from './serve.ts'

/** Entry of a serving thread. */
await serve(createSearcher)
flushCompiledCode()
