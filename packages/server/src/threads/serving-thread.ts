import { createSearcher } from '../adapters/embedded/lazy-searcher.ts'
import { flushCompiledCode } from './code-cache.ts'
import { serve } from './serve.ts'
import { restoreThreadPriority } from './thread-priority.ts'

/** Entry of a serving thread. */
restoreThreadPriority()
await serve(createSearcher)
flushCompiledCode()
