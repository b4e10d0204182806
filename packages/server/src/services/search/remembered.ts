interface Kept<Value> {
  readonly value: Value
  readonly untilMs: number
}

/** Values by key, for a while; when full, the one that was set first is forgotten. */
export class Remembered<Value> {
  readonly #kept = new Map<string, Kept<Value>>()
  readonly #sizeMax: number
  readonly #lifeMs: number

  constructor(sizeMax: number, lifeMs: number) {
    this.#sizeMax = sizeMax
    this.#lifeMs = lifeMs
  }

  get(key: string, nowMs: number): Value | undefined {
    const kept = this.#kept.get(key)
    return kept === undefined || kept.untilMs <= nowMs ? undefined : kept.value
  }

  set(key: string, value: Value, nowMs: number): void {
    this.#kept.delete(key)
    this.#kept.set(key, { value, untilMs: nowMs + this.#lifeMs })
    if (this.#kept.size <= this.#sizeMax) return
    const [first] = this.#kept.keys()
    this.#kept.delete(first!)
  }

  delete(key: string): void {
    this.#kept.delete(key)
  }
}
