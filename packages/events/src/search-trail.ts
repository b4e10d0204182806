import type { BrowserStorage } from './browser-storage.ts'

/** The part of a search response that is used here. */
export interface Results {
  readonly search_id: string
  readonly page: number
  readonly per_page: number
  readonly hits: readonly { readonly id: string }[]
}

/** A position in the results of a search. */
export interface Place {
  readonly search_id: string
  /** Starts at 1, across all pages. */
  readonly position: number
}

export const TRAIL = 'trail'
/** Maximum of lists that a page shows at once: results, a dropdown, rows of the front page. */
const LISTS_MAX = 8
/** Maximum of products that a visitor reached by a search and may still buy. */
const FOLLOWED_MAX = 100

/** Remembers which search showed a document, and which one a visitor followed to it. */
export class SearchTrail {
  readonly #storage: BrowserStorage
  #lists: Results[] = []

  constructor(storage: BrowserStorage) {
    this.#storage = storage
  }

  show(results: Results): void {
    const { search_id: shown } = results
    this.#lists = [results, ...this.#lists.filter(({ search_id }) => search_id !== shown)]
    this.#lists.length = Math.min(this.#lists.length, LISTS_MAX)
  }

  /** Returns where the page shows a document: in the newest list that contains it. */
  placeOf(id: string): Place | undefined {
    for (const { search_id, page, per_page, hits } of this.#lists) {
      const at = hits.findIndex((hit) => hit.id === id)
      if (at >= 0) return { search_id, position: (page - 1) * per_page + at + 1 }
    }
    return undefined
  }

  follow(id: string, searchId: string): void {
    const others = this.#followed().filter(([one]) => one !== id)
    this.#storage.set(TRAIL, [[id, searchId], ...others].slice(0, FOLLOWED_MAX))
  }

  /** Returns the newest search that led to one of these documents. */
  searchOf(ids: readonly string[]): string | undefined {
    return this.#followed().find(([id]) => ids.includes(id))?.[1]
  }

  #followed(): readonly (readonly [id: string, searchId: string])[] {
    return this.#storage.get<[string, string][]>(TRAIL) ?? []
  }
}
