/** Recent searches on this device, newest first. Empty if the browser cannot store them. */
export class RecentSearches {
  readonly #name: string
  readonly #countMax: number

  /** @param countMax maximum number of searches; 0: none */
  constructor(storeId: string, countMax: number) {
    this.#name = `aisle:recent:${storeId}`
    this.#countMax = countMax
  }

  list(): readonly string[] {
    try {
      const known: unknown = JSON.parse(globalThis.localStorage.getItem(this.#name) ?? '[]')
      if (!Array.isArray(known)) return []
      return known.filter((one) => typeof one === 'string').slice(0, this.#countMax)
    } catch {
      return []
    }
  }

  add(query: string): void {
    const text = query.trim()
    if (text !== '') this.#store([text, ...this.#without(text)])
  }

  remove(query: string): void {
    this.#store(this.#without(query))
  }

  #without(query: string): string[] {
    return this.list().filter((one) => one.toLowerCase() !== query.toLowerCase())
  }

  #store(queries: readonly string[]): void {
    try {
      const kept = queries.slice(0, this.#countMax)
      if (kept.length > 0) globalThis.localStorage.setItem(this.#name, JSON.stringify(kept))
      else globalThis.localStorage.removeItem(this.#name)
    } catch {
      // The browser cannot store data.
    }
  }
}
