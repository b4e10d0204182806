import { useSyncExternalStore } from 'react'

/** A value that the whole page shares. */
export class Shared<Value> {
  #value: Value
  readonly #listeners = new Set<() => void>()

  constructor(initial: Value) {
    this.#value = initial
  }

  get value(): Value {
    return this.#value
  }

  set(value: Value): void {
    this.#value = value
    for (const listener of this.#listeners) listener()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

/** The value, now and after each change. */
export function useShared<Value>(shared: Shared<Value>): Value {
  return useSyncExternalStore(shared.subscribe, () => shared.value)
}
