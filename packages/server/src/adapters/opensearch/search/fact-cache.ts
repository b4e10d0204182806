const ENTRIES_MAX = 20_000

interface Entry {
  readonly value: unknown
  readonly untilMs: number
}

/** Facts about the words of one store. */
export interface StoreFacts {
  get(key: string): unknown
  /** @param lifeMs how long it is good for */
  set(key: string, value: unknown, lifeMs: number): void
}

/**
 * Facts about words for a few seconds, for all searches of a node: most queries share their words.
 * Only what makes no difference to what is found is kept: how many documents have a word that
 * exists, but not that a word does not exist. The oldest go first.
 */
export class FactCache {
  readonly #entries = new Map<string, Entry>()
  readonly #entriesMax: number
  readonly #now: () => number

  constructor(entriesMax = ENTRIES_MAX, now: () => number = () => performance.now()) {
    this.#entriesMax = entriesMax
    this.#now = now
  }

  /** @param scope of the documents of a store */
  of(scope: string): StoreFacts {
    return {
      get: (key) => this.#get(`${scope} ${key}`),
      set: (key, value, lifeMs) => this.#set(`${scope} ${key}`, value, lifeMs),
    }
  }

  #get(key: string): unknown {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    if (this.#now() < entry.untilMs) return entry.value
    this.#entries.delete(key)
    return undefined
  }

  #set(key: string, value: unknown, lifeMs: number): void {
    this.#entries.delete(key)
    if (this.#entries.size >= this.#entriesMax) {
      const [oldest] = this.#entries.keys()
      this.#entries.delete(oldest!)
    }
    this.#entries.set(key, { value, untilMs: this.#now() + lifeMs })
  }
}
