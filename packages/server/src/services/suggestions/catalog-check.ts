import type { SuggestionMatcher } from '@aisle/suggestions'
import { planRequest } from '../search/plan-context.ts'
import { partOf } from '../search/request-pace.ts'
import { spellQuery } from '../search/spell-queries.ts'
import type { SuggestionScene } from './suggestion-scene.ts'

/**
 * Maximum number of suggestions per request that are checked by a search, because no document
 * contains one of their words.
 */
const SEARCHES_MAX = 10
const CHECK_TIMEOUT_MS = 50
/** The same if only some documents are visible: then each suggestion is checked. */
const SCOPED_CHECKS_MAX = 200
/** Number of cached results of such searches. */
const REMEMBERED_MAX = 20_000

/** Results of searches, valid until the catalog or the suggestions change. */
interface Remembered {
  readonly version: number
  readonly known: Map<number, boolean>
}

const remembered = new WeakMap<SuggestionMatcher, Remembered>()

/**
 * Whether a text typed by visitors may be shown to others: a search for it has results today, the
 * catalog knows every word of it (as a form, inflection, joined word or synonym), and our own
 * spelling rules do not correct it. The dictionary decides most cases; a search runs only if it
 * lacks a word, or if the spelling was not checked when the index was built. Names from the catalog
 * need only one word in a searchable field. With a scoped token, one visible document must contain
 * all words of any text.
 */
export class CatalogCheck {
  readonly #scene: SuggestionScene
  readonly #known: Map<number, boolean>
  #searchesLeft = SEARCHES_MAX
  #scopedChecksLeft = SCOPED_CHECKS_MAX

  /** @param scene with known suggestions */
  constructor(scene: SuggestionScene) {
    this.#scene = scene
    const { version } = scene.view
    const matcher = scene.known?.matcher
    const before = matcher === undefined ? undefined : remembered.get(matcher)
    this.#known = before?.version === version ? before.known : new Map<number, boolean>()
    if (matcher !== undefined) remembered.set(matcher, { version, known: this.#known })
  }

  async knows(entry: number): Promise<boolean> {
    const { view, known } = this.#scene
    const { index } = known!.matcher
    const words = Array.from(index.entryWords.of(entry), (word) => ({
      form: index.words.get(word),
      stem: index.stems.get(index.wordStem[word]!),
    }))
    const carrying = words.filter(({ form }) => !view.analyzer.isStopword(form))
    const asked = carrying.length > 0 ? carrying : words
    const stems = asked.map(({ stem }) => stem)
    const isHeld = await this.#isHeld(entry, stems)
    if (view.scope !== undefined && !isHeld) return false
    if (isHeld && index.isSpelt(entry)) return true
    // Cached results are about all documents.
    if (view.scope !== undefined) return (await this.#searchKnows(entry, isHeld)) === true
    const before = this.#known.get(entry)
    if (before !== undefined) return before
    const found = await this.#searchKnows(entry, isHeld)
    if (found !== undefined && this.#known.size < REMEMBERED_MAX) this.#known.set(entry, found)
    return found === true
  }

  async #isHeld(entry: number, stems: readonly string[]): Promise<boolean> {
    const { view, known } = this.#scene
    if (view.scope !== undefined) return await this.isVisible(stems)
    const held = await view.holds(stems)
    return known!.matcher.index.isName(entry) ? held.includes(true) : !held.includes(false)
  }

  /** Whether one document visible to the request contains all of these. */
  async isVisible(stems: readonly string[]): Promise<boolean> {
    const { view, pace } = this.#scene
    if (view.schema === undefined || this.#scopedChecksLeft-- <= 0) return false
    const request = { q: '*', per_page: 0, search_timeout_ms: CHECK_TIMEOUT_MS }
    const { plan } = planRequest(view, request, partOf(pace), 0)
    const words = stems.map((stem) => [stem])
    return (await view.complete(plan, { words, limit: 1, countMax: 1 })).docCount > 0
  }

  /** @returns undefined if time ran out */
  async #searchKnows(entry: number, isHeld: boolean): Promise<boolean | undefined> {
    const { view, pace, known } = this.#scene
    const { index } = known!.matcher
    if (view.schema === undefined) return false
    if (this.#searchesLeft-- <= 0) return undefined
    const q = index.texts.get(entry)
    if (!index.isSpelt(entry)) {
      const spelling = await spellQuery(view, q, performance.now() + CHECK_TIMEOUT_MS)
      if (spelling?.meant !== undefined) return false
      if (spelling === undefined || isHeld) return spelling === undefined ? undefined : true
    }
    const request = { q, per_page: 0, search_timeout_ms: CHECK_TIMEOUT_MS }
    const { plan } = planRequest(view, request, partOf(pace), 0)
    const { found, expansions, cutoff } = await view.search(plan)
    const isEachKnown = expansions.every(({ known, synonyms }) => known || synonyms.length > 0)
    return found > 0 && isEachKnown ? true : cutoff ? undefined : false
  }
}
