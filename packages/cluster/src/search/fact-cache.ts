import { CountedWords } from './counted-words.ts'
import { ObservedVersion } from './observed-version.ts'
import { StoreVersions, type StoreState } from './store-versions.ts'

/** Bytes of facts that a node caches, over all stores. */
export const FACTS_KEPT_MAX_BYTES = 64_000_000
/** The share for numbers, so that lists, as large as hundreds of them, do not evict them. */
const NUMBERS_SHARE = 0.375
/** Approximate overhead of an entry besides its key and value. */
const ENTRY_BYTES = 200
/** Approximate overhead of each string or object in a value. */
const PART_BYTES = 60

/** An answer to an earlier search. */
export interface KeptFact {
  readonly value: unknown
  /** Whether it may be used as an answer. Otherwise it is only a guess. */
  readonly isFresh: boolean
  /** The settled version of the documents when this was asked. */
  readonly asOf: number | undefined
}

interface Entry {
  readonly store: KeptFacts
  readonly key: string
  readonly value: unknown
  readonly untilMs: number
  readonly asOf: number | undefined
  readonly bytes: number
  readonly among: LastUsed
}

interface KeptFacts {
  readonly scope: string
  readonly facts: Map<string, Entry>
  readonly observed: ObservedVersion
}

/** Entries that share a memory budget, in order of use. */
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

  /** Returns the next entry to evict; `undefined` while there is space. */
  get excess(): Entry | undefined {
    return this.#bytes <= this.#bytesMax ? undefined : this.#entries.values().next().value
  }
}

/** Facts about the words of one store. */
export interface StoreFacts {
  get(key: string): KeptFact | undefined
  /**
   * @param lifeMs how long it is fresh; 0: it must be requested each time
   * @param asOf `version` before it was asked
   */
  set(key: string, value: unknown, lifeMs: number, asOf?: number): void
  /** The settled version of its documents; undefined while they are changing. */
  readonly version: number | undefined
  /** Whether a check in the background is due. */
  mayObserve(): boolean
  /**
   * Learns the state of its documents.
   * @param costMs what asking for it took
   * @returns its version
   */
  see(written: StoreState, costMs: number): number
  /** What asking for the state costs the cluster. */
  readonly checkCostMs: number
}

/**
 * Caches the cluster's answers about words for all searches of a node, because most queries share
 * their words. Answers that do not affect which documents match are valid for a few seconds, for
 * example how many documents have an existing word, but not that a word does not exist. Older ones
 * are guesses; they hold as long as the documents keep the version they had before the question.
 * The least recently used facts are evicted first.
 */
export class FactCache {
  readonly #stores = new Map<string, KeptFacts>()
  readonly #numbers: LastUsed
  readonly #lists: LastUsed
  readonly #now: () => number
  readonly #versions = new StoreVersions()

  constructor(bytesMax = FACTS_KEPT_MAX_BYTES, now: () => number = () => performance.now()) {
    this.#numbers = new LastUsed(NUMBERS_SHARE * bytesMax)
    this.#lists = new LastUsed((1 - NUMBERS_SHARE) * bytesMax)
    this.#now = now
  }

  /** @param scope identifies the documents of a store */
  of(scope: string): StoreFacts {
    const observed = (): ObservedVersion | undefined => this.#stores.get(scope)?.observed
    return {
      get: (key) => this.#get(scope, key),
      set: (key, value, lifeMs, asOf) => this.#set(scope, key, value, { lifeMs, asOf }),
      get version() {
        return observed()?.settled
      },
      mayObserve: () => observed()?.mayAsk() ?? false,
      see: (written, costMs) => {
        const version = this.#versions.of(scope, written)
        observed()?.see(version, costMs)
        return version
      },
      get checkCostMs() {
        return observed()?.costMs ?? 0
      },
    }
  }

  #get(scope: string, key: string): KeptFact | undefined {
    const entry = this.#stores.get(scope)?.facts.get(key)
    if (entry === undefined) return undefined
    entry.among.use(entry)
    return { value: entry.value, isFresh: this.#now() < entry.untilMs, asOf: entry.asOf }
  }

  #set(
    scope: string,
    key: string,
    value: unknown,
    { lifeMs, asOf }: { readonly lifeMs: number; readonly asOf: number | undefined },
  ): void {
    let store = this.#stores.get(scope)
    if (store === undefined) {
      store = { scope, facts: new Map(), observed: new ObservedVersion(this.#now) }
      this.#stores.set(scope, store)
    }
    const before = store.facts.get(key)
    if (before !== undefined) before.among.delete(before)
    const among = typeof value === 'number' ? this.#numbers : this.#lists
    const bytes = ENTRY_BYTES + 2 * key.length + bytesOf(value)
    const entry = { store, key, value, untilMs: this.#now() + lifeMs, asOf, bytes, among }
    store.facts.set(key, entry)
    among.add(entry)
    for (let excess = among.excess; excess !== undefined; excess = among.excess) {
      among.delete(excess)
      excess.store.facts.delete(excess.key)
      if (excess.store.facts.size === 0) this.#stores.delete(excess.store.scope)
    }
  }
}

/** Approximate size of a number, a string, a list, or an object with these. */
function bytesOf(value: unknown): number {
  if (value instanceof CountedWords) return value.bytes
  if (typeof value === 'string') return PART_BYTES + 2 * value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, one) => sum + bytesOf(one), PART_BYTES)
}
