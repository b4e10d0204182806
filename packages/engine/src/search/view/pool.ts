/**
 * Scratch memory that a search owns until its end: a search may wait while others run, and most
 * find the memory that the previous one gave back.
 */
export class Pool<T> {
  readonly #make: () => T
  readonly #free: T[] = []

  constructor(make: () => T) {
    this.#make = make
  }

  take(): T {
    return this.#free.pop() ?? this.#make()
  }

  /** Call once, when nothing uses the memory any more. */
  giveBack(memory: T): void {
    this.#free.push(memory)
  }
}
