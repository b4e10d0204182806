import type { SearchOutcome, SearchPlan } from '@aisle/engine'
import { TinySearcher } from '../../adapters/embedded/test/tiny-index.ts'
import { serve } from '../serve.ts'

/** A search for this number of hits ends its thread. */
const DEADLY_SIZE = 97

class DeadlySearcher extends TinySearcher {
  override *steps(plan: SearchPlan): Generator<void, SearchOutcome> {
    if (plan.size === DEADLY_SIZE) process.exit(1)
    return yield* super.steps(plan)
  }
}

await serve(() => new DeadlySearcher())
