import { ObservedVersion } from './observed-version.ts'

/** Maximum of searches of a store that are remembered; the least recent ones are forgotten. */
const SEARCHES_MAX = 1_000
/** Maximum of stores; the least recently searched one is forgotten. */
const STORES_MAX = 1_000
/** The first characters of a key, 48 bits: two searches that share them are only kept sooner. */
const KEY_LENGTH = 8

interface SearchedStore {
  readonly searches: Set<string>
  readonly observed: ObservedVersion
}

/**
 * Decides which answers an API node keeps although nobody asked for that: those of searches that
 * recur, in stores that are not changing. Asking the cluster whether a store has changed costs a
 * fraction of a search, but it costs something: so neither the first search of its kind nor those
 * of a store under constant writes ask. Facts about words are at most as old as it takes a version
 * to settle, so an answer that is kept rests on nothing older than its version.
 */
export class RepeatedSearches {
  readonly #nowMs: () => number
  readonly #stores = new Map<string, SearchedStore>()

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs
  }

  /**
   * @param key everything that affects the answer, besides the documents
   * @param ask returns the version of the store as of now
   * @returns the version under which the answer may be kept or found; undefined if it is better to
   * search
   */
  async versionFor(
    storeId: string,
    key: string,
    ask: () => Promise<number>,
  ): Promise<number | undefined> {
    const store = this.#storeOf(storeId)
    if (!recurs(store, key.slice(0, KEY_LENGTH))) return undefined
    const { observed } = store
    const isUnchanged = observed.settled !== undefined
    if (!observed.mayAsk()) return undefined
    // While the store is changing, no search waits for this.
    const asked = ask().then(
      (version) => {
        observed.see(version)
        return version
      },
      () => undefined,
    )
    if (!isUnchanged) return undefined
    const version = await asked
    return version === observed.settled ? version : undefined
  }

  #storeOf(storeId: string): SearchedStore {
    const known = this.#stores.get(storeId)
    this.#stores.delete(storeId)
    if (this.#stores.size >= STORES_MAX) this.#stores.delete(this.#stores.keys().next().value!)
    const store = known ?? {
      searches: new Set<string>(),
      observed: new ObservedVersion(this.#nowMs),
    }
    this.#stores.set(storeId, store)
    return store
  }
}

/** Whether a search was sent before; remembers it. */
function recurs({ searches }: SearchedStore, search: string): boolean {
  const isKnown = searches.delete(search)
  if (searches.size >= SEARCHES_MAX) searches.delete(searches.values().next().value!)
  searches.add(search)
  return isKnown
}
