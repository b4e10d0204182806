import type { SearchOutcome, SearchPlan } from '@aisle/engine'
import { TinySearcher } from '../../adapters/embedded/test/tiny-index.ts'
import type { IndexSearcher } from '../../adapters/embedded/engine-port.ts'
import { serve } from '../serve.ts'

/** A search for so many hits ends its thread. */
const DEADLY_SIZE = 97

function deadlySearcher(): IndexSearcher {
  const tiny = new TinySearcher()
  return {
    update: (snapshot) => tiny.update(snapshot),
    release: () => undefined,
    search(plan: SearchPlan): SearchOutcome {
      if (plan.size === DEADLY_SIZE) process.exit(1)
      return tiny.search(plan)
    },
    complete: () => tiny.complete(),
    holds: () => tiny.holds(),
    matchingKeys: () => tiny.matchingKeys(),
  }
}

await serve(deadlySearcher)
