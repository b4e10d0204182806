import type { SuggestionMatcher } from '@aisle/suggestions'
import { planRequest } from '../search/plan-context.ts'
import { partOf } from '../search/request-pace.ts'
import type { SuggestionScene } from './suggestion-scene.ts'

/** Suggestions with a word that no document holds are searched for, so many per request. */
const SEARCHES_MAX = 10
const CHECK_TIMEOUT_MS = 50
/** Answers of searches that are remembered. */
const REMEMBERED_MAX = 20_000

/** What was found out by searching, as long as neither the catalog nor the suggestions change. */
interface Remembered {
  readonly version: number
  readonly known: Map<number, boolean>
}

const remembered = new WeakMap<SuggestionMatcher, Remembered>()

/**
 * Whether a text of visitors may be shown to others: a search for it finds something today, and the
 * catalog knows every word of it, as a form, an inflection, joined, in two words or by a synonym.
 * The dictionary says so of most; a search is made only where it does not have all words. A name of
 * the catalog is known to it; of that one word in a searchable field is enough.
 */
export class CatalogCheck {
  readonly #scene: SuggestionScene
  readonly #known: Map<number, boolean>
  #searchesLeft = SEARCHES_MAX

  /** @param scene of which the suggestions are known */
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
    const isHeld = ({ stem }: { readonly stem: string }): boolean => view.holds(stem)
    if (index.isName(entry) ? asked.some(isHeld) : asked.every(isHeld)) return true
    const before = this.#known.get(entry)
    if (before !== undefined) return before
    const found = await this.#searchKnows(index.texts.get(entry))
    if (found !== undefined && this.#known.size < REMEMBERED_MAX) this.#known.set(entry, found)
    return found === true
  }

  /** @returns undefined when there was no time to find out */
  async #searchKnows(q: string): Promise<boolean | undefined> {
    const { view, pace } = this.#scene
    if (view.schema === undefined) return false
    if (this.#searchesLeft-- <= 0) return undefined
    const request = { q, per_page: 0, search_timeout_ms: CHECK_TIMEOUT_MS }
    const { plan } = planRequest(view, request, partOf(pace))
    const { found, expansions, cutoff } = await view.search(plan)
    const isEachKnown = expansions.every(
      ({ known, splits, synonyms }) => known || splits.length > 0 || synonyms.length > 0,
    )
    return found > 0 && isEachKnown ? true : cutoff ? undefined : false
  }
}
