/** Thrown inside a search when it times out; the searcher returns the results so far. */
export class DeadlineReached extends Error {
  override readonly name = 'DeadlineReached'
}

/**
 * @returns a function that throws DeadlineReached once `deadlineMs` (of `performance.now()`) has
 * passed
 */
export function deadlineCheck(deadlineMs: number | undefined): () => void {
  if (deadlineMs === undefined) return () => undefined
  return () => {
    if (performance.now() > deadlineMs) throw new DeadlineReached('The search timed out')
  }
}
