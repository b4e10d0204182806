/**
 * A map that forgets the least recently set entries: each time half of its maximum was set, it
 * drops those not set since the last time. It holds between one and two times `countMax / 2`.
 * (Deleting the oldest key of a Map one by one looks simpler, but V8 leaves a hole for each, and
 * reading the first key walks over all of them.)
 */
export class RecentMap<K, V> {
  readonly #countMax: number
  #young: Map<K, V>
  #old: Map<K, V>

  constructor(countMax: number, { young, old }: RecentState<K, V> = empty()) {
    this.#countMax = countMax
    this.#young = young
    this.#old = old
  }

  get state(): RecentState<K, V> {
    return { young: this.#young, old: this.#old }
  }

  get isEmpty(): boolean {
    return this.#young.size === 0 && this.#old.size === 0
  }

  get(key: K): V | undefined {
    return this.#young.get(key) ?? this.#old.get(key)
  }

  set(key: K, value: V): void {
    this.#young.set(key, value)
    if (this.#young.size >= this.#countMax / 2) this.rotate()
  }

  delete(key: K): void {
    this.#young.delete(key)
    this.#old.delete(key)
  }

  /** Drops entries that were not set since the last time. */
  rotate(): void {
    this.#old = this.#young
    this.#young = new Map()
  }

  *[Symbol.iterator](): Generator<[K, V]> {
    for (const entry of this.#old) if (!this.#young.has(entry[0])) yield entry
    yield* this.#young
  }
}

export interface RecentState<K, V> {
  readonly young: Map<K, V>
  readonly old: Map<K, V>
}

function empty<K, V>(): RecentState<K, V> {
  return { young: new Map(), old: new Map() }
}
