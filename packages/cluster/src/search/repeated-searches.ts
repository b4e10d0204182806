/** Maximum of searches that are remembered, over all stores; the least recent ones are forgotten. */
const SEARCHES_MAX = 20_000
/**
 * Time without a change after which answers are kept. Facts about words are as old as that, so an
 * answer that is kept rests on nothing older than its version.
 */
const UNCHANGED_MS = 5_000
/** Minimum time between two checks of a store that is changing. */
const CHECK_MS = 1_000
/** Maximum of stores with a known state. */
const STORES_MAX = 10_000

interface Checked {
  version: number | undefined
  /** Since when it has had that version, as far as known. */
  sinceMs: number
  askedMs: number
}

/**
 * Decides which answers an API node keeps although nobody asked for that: those of searches that
 * recur, in stores that are not changing. Asking the cluster whether a store has changed costs a
 * fraction of a search, but it costs something: so neither the first search of its kind nor those
 * of a store under constant writes ask.
 */
export class RepeatedSearches {
  readonly #nowMs: () => number
  readonly #searches = new Set<string>()
  readonly #stores = new Map<string, Checked>()

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
    if (!this.#recurs(`${storeId} ${key}`)) return undefined
    const store = this.#checked(storeId)
    const askedMs = this.#nowMs()
    const isUnchanged = store.version !== undefined && askedMs - store.sinceMs >= UNCHANGED_MS
    if (!isUnchanged && askedMs - store.askedMs < CHECK_MS) return undefined
    store.askedMs = askedMs
    // An answer that comes late, or never, must not keep a search waiting that nothing else would.
    const asked = ask().then(
      (version) => {
        if (version !== store.version) Object.assign(store, { version, sinceMs: this.#nowMs() })
        return version
      },
      () => undefined,
    )
    if (!isUnchanged) return undefined
    const version = await asked
    return version === store.version && askedMs - store.sinceMs >= UNCHANGED_MS
      ? version
      : undefined
  }

  #recurs(search: string): boolean {
    const recurs = this.#searches.delete(search)
    if (this.#searches.size >= SEARCHES_MAX) {
      this.#searches.delete(this.#searches.values().next().value!)
    }
    this.#searches.add(search)
    return recurs
  }

  #checked(storeId: string): Checked {
    const known = this.#stores.get(storeId)
    if (known !== undefined) return known
    if (this.#stores.size >= STORES_MAX) this.#stores.delete(this.#stores.keys().next().value!)
    const checked = { version: undefined, sinceMs: -Infinity, askedMs: -Infinity }
    this.#stores.set(storeId, checked)
    return checked
  }
}
