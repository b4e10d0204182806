/** Work in steps: it yields after each, and returns the result. */
export type Steps<T> = Generator<void, T>

/**
 * A value that takes long to make: at once for those who need it now, or step by step, so that
 * others get the thread in between. All who ask for it take the steps of the same work.
 */
export class Gradual<T> {
  readonly #begin: () => Steps<T>
  #steps: Steps<T> | undefined
  #made: { readonly value: T } | undefined

  constructor(begin: () => Steps<T>) {
    this.#begin = begin
  }

  get isMade(): boolean {
    return this.#made !== undefined
  }

  /**
   * Takes one step, and more until the turn is over.
   *
   * @returns whether the value is made
   * @throws whatever a step throws; the work then starts over
   */
  advance(isOver: () => boolean): boolean {
    while (this.#made === undefined) {
      this.#steps ??= this.#begin()
      try {
        const step = this.#steps.next()
        if (step.done === true) this.#made = { value: step.value }
      } catch (error) {
        this.#steps = undefined
        throw error
      }
      if (isOver()) break
    }
    if (this.#made !== undefined) this.#steps = undefined
    return this.isMade
  }

  /** The value; what is left to do is done at once. */
  get value(): T {
    this.advance(() => false)
    return this.#made!.value
  }
}

/** Work that waits for a value, and lets others have the thread meanwhile. */
export interface YieldingWork {
  /** Whether its turn is over. */
  isDue(): boolean
  /** Resolves when its next turn begins. */
  rest(): Promise<void>
}

/** Makes values step by step, in as many turns as they take. */
export async function madeInTurns(
  values: readonly Gradual<unknown>[],
  work: YieldingWork,
): Promise<void> {
  const isDue = (): boolean => work.isDue()
  for (const value of values) while (!value.advance(isDue)) await work.rest()
}
