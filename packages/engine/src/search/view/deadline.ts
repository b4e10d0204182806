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

/**
 * The turns of a search that shares its thread with others.
 *
 * @param turnMs length of a turn; Infinity: the search runs to its end
 * @returns a function that returns whether a turn is over; the first call after it begins the next
 */
export function turnCheck(turnMs: number): () => boolean {
  if (turnMs === Infinity) return () => false
  let endMs: number | undefined
  return () => {
    const nowMs = performance.now()
    endMs ??= nowMs + turnMs
    if (nowMs < endMs) return false
    endMs = undefined
    return true
  }
}
