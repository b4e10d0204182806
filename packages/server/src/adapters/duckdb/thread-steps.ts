import { FairSteps } from '../../domain/turns/fair-steps.ts'

/** Steps that share the calling thread by its clock. */
export function threadSteps(): FairSteps {
  return new FairSteps({
    defer: setImmediate,
    wait: (look) => setTimeout(look, 1),
    nowMs: () => performance.now(),
  })
}
