import { searchUsageConformance } from '../../ports/search-usage.conformance.ts'
import { createMemorySearchUsage } from './memory-search-usage.ts'

searchUsageConformance('memory', async () => ({
  usage: createMemorySearchUsage(),
  [Symbol.asyncDispose]: async () => undefined,
}))
