/** For work that runs to its end in one turn. */
export const NO_TURN_ENDS = (): boolean => false

/** The result of steps that do not yield, because no turn ends. */
export function toEnd<T>(steps: Generator<void, T>): T {
  const step = steps.next()
  if (step.done !== true) throw new Error('Work without turns must not yield')
  return step.value
}
