import { CountedWords } from './counted-words.ts'

/** Bytes of facts that a node keeps, of all stores together. */
export const FACTS_KEPT_MAX_BYTES = 64_000_000
/** The share of numbers: a list, which may take as much as hundreds of them, replaces none. */
const NUMBERS_SHARE = 0.375
/** What an entry takes besides its key and its value, about. */
const ENTRY_BYTES = 200
/** Of each text or object in a value, about. */
const PART_BYTES = 60

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
  readonly among: LastUsed
}

interface KeptFacts {
  readonly scope: string
  readonly facts: Map<string, Entry>
}

/** Entries that share some memory, in the order in which they were used. */
class LastUsed {
  readonly #entries = new Set<Entry>()
  readonly #bytesMax: number
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  add(entry: Entry): void {
    this.#entries.add(entry)
    this.#bytes += entry.bytes
  }

  use(entry: Entry): void {
    this.#entries.delete(entry)
    this.#entries.add(entry)
  }

  delete(entry: Entry): void {
    if (this.#entries.delete(entry)) this.#bytes -= entry.bytes
  }

  /** The one to go next; `undefined` as long as there is room. */
  get excess(): Entry | undefined {
    return this.#bytes <= this.#bytesMax ? undefined : this.#entries.values().next().value
  }
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
 * were not used for the longest time go first.
 */
export class FactCache {
  readonly #stores = new Map<string, KeptFacts>()
  readonly #numbers: LastUsed
  readonly #lists: LastUsed
  readonly #now: () => number

  constructor(bytesMax = FACTS_KEPT_MAX_BYTES, now: () => number = () => performance.now()) {
    this.#numbers = new LastUsed(NUMBERS_SHARE * bytesMax)
    this.#lists = new LastUsed((1 - NUMBERS_SHARE) * bytesMax)
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
    if (entry === undefined) return undefined
    entry.among.use(entry)
    return { value: entry.value, isFresh: this.#now() < entry.untilMs }
  }

  #set(scope: string, key: string, value: unknown, lifeMs: number): void {
    let store = this.#stores.get(scope)
    if (store === undefined) {
      store = { scope, facts: new Map() }
      this.#stores.set(scope, store)
    }
    const before = store.facts.get(key)
    if (before !== undefined) before.among.delete(before)
    const among = typeof value === 'number' ? this.#numbers : this.#lists
    const bytes = ENTRY_BYTES + 2 * key.length + bytesOf(value)
    const entry = { store, key, value, untilMs: this.#now() + lifeMs, bytes, among }
    store.facts.set(key, entry)
    among.add(entry)
    for (let excess = among.excess; excess !== undefined; excess = among.excess) {
      among.delete(excess)
      excess.store.facts.delete(excess.key)
      if (excess.store.facts.size === 0) this.#stores.delete(excess.store.scope)
    }
  }
}

/** Of a number, a text, a list, or an object with these. */
function bytesOf(value: unknown): number {
  if (value instanceof CountedWords) return value.bytes
  if (typeof value === 'string') return PART_BYTES + 2 * value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, one) => sum + bytesOf(one), PART_BYTES)
}
