/** Work in steps: whenever its turn is over, it yields. */
export type Steps<T = void> = Generator<void, T>

/** When work in steps has to stop or to wait. */
export interface Pace {
  /** Throws at the deadline. */
  readonly checkDeadline: () => void
  /** Whether the turn is over, and the work yields to others on its thread; absent: never. */
  readonly isTurnOver?: (() => boolean) | undefined
}

/** Throws at the deadline, and yields if the turn is over. */
export function* pause({ checkDeadline, isTurnOver }: Pace): Steps {
  checkDeadline()
  if (isTurnOver?.() === true) yield
}

/** Does all the work in one turn. */
export function finish<T>(steps: Steps<T>): T {
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}
