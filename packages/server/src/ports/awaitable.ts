/** A value that is there, or comes: one process has it at once, a node of a cluster asks for it. */
export type Awaitable<T> = T | Promise<T>

/**
 * Goes on with a value in the same turn when it is there. `await` would let other work run in
 * between, and what was found in this turn must be read in this turn.
 */
export function andThen<T, Next>(
  value: Awaitable<T>,
  goOn: (value: T) => Awaitable<Next>,
): Awaitable<Next> {
  return value instanceof Promise ? value.then(goOn) : goOn(value)
}
