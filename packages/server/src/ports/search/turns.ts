import type { Awaitable } from '../awaitable.ts'

/**
 * The turns of a request on a thread that serves all stores. Long work asks now and then whether
 * its turn is over, and then rests: others run before its next turn.
 */
export interface Turns {
  readonly isDue: () => boolean
  /** Resolves at the next turn. @throws ApiError when nobody waits for the answer any more */
  readonly rest: () => Promise<void>
}

/** For work on a thread that nobody shares: it runs to its end in one turn. */
export const ONE_TURN: Turns = { isDue: () => false, rest: () => Promise.resolve() }

/** Ends the turn if it has lasted long enough. */
export async function restIfDue({ isDue, rest }: Turns): Promise<void> {
  if (isDue()) await rest()
}

/**
 * Runs steps that yield when a turn is over.
 *
 * @returns the result at once if it takes no more than one turn
 */
export function inTurns<T>(steps: Generator<void, T>, turns: Turns): Awaitable<T> {
  const first = steps.next()
  return first.done === true ? first.value : resume(steps, turns)
}

async function resume<T>(steps: Generator<void, T>, { rest }: Turns): Promise<T> {
  try {
    for (;;) {
      await rest()
      const step = steps.next()
      if (step.done === true) return step.value
    }
  } finally {
    // If nobody waits any more, the steps release their memory.
    steps.return(undefined as T)
  }
}
