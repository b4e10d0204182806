/** Bytes of facts that a node keeps, of all stores together. */
export const FACTS_KEPT_MAX_BYTES = 32_000_000
/** What an entry takes besides its key and its value, about. */
const ENTRY_BYTES = 150
/** Of each line of a list, about. */
const LINE_BYTES = 80

/** An answer that was given to a search before. */
export interface KeptFact {
  readonly value: unknown
  /** It may be used as it is. Otherwise it tells only what the answer is likely to be. */
  readonly isFresh: boolean
}

interface Entry {
  readonly store: KeptFacts
  readonly key: string
  readonly value: unknown
  readonly untilMs: number
  readonly bytes: number
}

interface KeptFacts {
  readonly scope: string
  readonly facts: Map<string, Entry>
}

/** Facts about the words of one store. */
export interface StoreFacts {
  get(key: string): KeptFact | undefined
  /** @param lifeMs how long it is fresh; 0: it must be asked for each time */
  set(key: string, value: unknown, lifeMs: number): void
}

/**
 * What the cluster said about words, for all searches of a node: most queries share their words.
 * What makes no difference to what is found is good for a few seconds, as how many documents have a
 * word that exists, but not that a word does not exist. What is older is a guess. The facts that
 * were learned the longest time ago go first.
 */
export class FactCache {
  readonly #stores = new Map<string, KeptFacts>()
  /** In the order in which they were learned. */
  readonly #entries = new Set<Entry>()
  readonly #bytesMax: number
  readonly #now: () => number
  #bytes = 0

  constructor(bytesMax = FACTS_KEPT_MAX_BYTES, now: () => number = () => performance.now()) {
    this.#bytesMax = bytesMax
    this.#now = now
  }

  /** @param scope of the documents of a store */
  of(scope: string): StoreFacts {
    return {
      get: (key) => this.#get(scope, key),
      set: (key, value, lifeMs) => this.#set(scope, key, value, lifeMs),
    }
  }

  #get(scope: string, key: string): KeptFact | undefined {
    const entry = this.#stores.get(scope)?.facts.get(key)
    return entry && { value: entry.value, isFresh: this.#now() < entry.untilMs }
  }

  #set(scope: string, key: string, value: unknown, lifeMs: number): void {
    let store = this.#stores.get(scope)
    if (store === undefined) {
      store = { scope, facts: new Map() }
      this.#stores.set(scope, store)
    }
    const before = store.facts.get(key)
    if (before !== undefined) this.#forget(before)
    const bytes = ENTRY_BYTES + 2 * key.length + LINE_BYTES * linesOf(value)
    const entry = { store, key, value, untilMs: this.#now() + lifeMs, bytes }
    store.facts.set(key, entry)
    this.#entries.add(entry)
    this.#bytes += bytes
    for (const oldest of this.#entries) {
      if (this.#bytes <= this.#bytesMax) return
      this.#forget(oldest)
      if (oldest.store.facts.size === 0) this.#stores.delete(oldest.store.scope)
    }
  }

  #forget(entry: Entry): void {
    entry.store.facts.delete(entry.key)
    this.#entries.delete(entry)
    this.#bytes -= entry.bytes
  }
}

/** Of a number, a list, or an object with lists. */
function linesOf(value: unknown): number {
  if (value instanceof Map) return value.size
  if (Array.isArray(value)) return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, one) => sum + linesOf(one), 1)
}
