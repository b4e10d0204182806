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
  readonly value: unknown
  readonly untilMs: number
  readonly bytes: number
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
  readonly #entries = new Map<string, Entry>()
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
      get: (key) => this.#get(`${scope} ${key}`),
      set: (key, value, lifeMs) => this.#set(`${scope} ${key}`, value, lifeMs),
    }
  }

  #get(key: string): KeptFact | undefined {
    const entry = this.#entries.get(key)
    return entry && { value: entry.value, isFresh: this.#now() < entry.untilMs }
  }

  #set(key: string, value: unknown, lifeMs: number): void {
    this.#remove(key)
    const bytes = ENTRY_BYTES + 2 * key.length + LINE_BYTES * linesOf(value)
    this.#entries.set(key, { value, untilMs: this.#now() + lifeMs, bytes })
    this.#bytes += bytes
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#bytesMax) return
      this.#remove(oldest)
    }
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
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
