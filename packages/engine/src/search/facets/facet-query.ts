import { begunLength } from '../../analysis/hangul.ts'
import { EditAutomaton, PATTERN_MAX, STATE_SIZE } from '../../dictionary/edit-automaton.ts'
import type { FacetWord } from '../../query/plan.ts'
import { FACET_BEGUN_MISTAKES, looksBegun } from '../../scoring/corrections.ts'

/** How a value matches one word of a facet query. */
export interface FacetWordMatch {
  /** The words of the value with the fewest edits; empty: none match. */
  readonly forms: readonly string[]
  /** Whether words of the value may continue after the typed word. */
  readonly isBegun: boolean
  /** 0: as typed. */
  readonly mistakes: number
}

/**
 * "Facet query" in docs/ranking.md: how well values match the query for values of a facet. Caches
 * words of values for one search, because they repeat.
 */
export class FacetQuery {
  readonly #words: readonly FacetWordLook[]

  constructor(words: readonly FacetWord[]) {
    this.#words = words.map((word, i) => new FacetWordLook(word, i === words.length - 1))
  }

  /** @param forms of the value, with joined spellings. @returns Infinity if it does not match */
  mistakesIn(forms: readonly string[]): number {
    let mistakes = 0
    for (const word of this.#words) mistakes += word.mistakesIn(forms)
    return mistakes
  }

  /** By word of the query. */
  matchesIn(forms: readonly string[]): FacetWordMatch[] {
    return this.#words.map((word) => {
      const mistakes = word.mistakesIn(forms)
      const standing = forms.filter((form) => mistakes < Infinity && word.of(form) === mistakes)
      return { forms: standing, isBegun: word.isLast && mistakes === 0, mistakes }
    })
  }
}

class FacetWordLook {
  readonly isLast: boolean
  readonly #word: FacetWord
  readonly #length: number
  readonly #automaton: EditAutomaton | undefined
  readonly #states: Int32Array
  readonly #known = new Map<string, number>()

  constructor(word: FacetWord, isLast: boolean) {
    const pattern = Array.from(word.form, (character) => character.codePointAt(0)!)
    this.isLast = isLast
    this.#word = word
    this.#length = pattern.length
    const isShort = word.edits > 0 && pattern.length <= PATTERN_MAX
    this.#automaton = isShort ? new EditAutomaton(pattern, word.edits) : undefined
    this.#states = new Int32Array((pattern.length + word.edits + 2) * STATE_SIZE)
  }

  mistakesIn(forms: readonly string[]): number {
    let fewest = Infinity
    for (const form of forms) fewest = Math.min(fewest, this.of(form))
    return fewest
  }

  of(form: string): number {
    let mistakes = this.#known.get(form)
    if (mistakes === undefined) this.#known.set(form, (mistakes = this.#lookAt(form)))
    return mistakes
  }

  #lookAt(form: string): number {
    const { form: typed } = this.#word
    if (form === typed || (this.isLast && begunLength(form, typed) >= 0)) return 0
    const automaton = this.#automaton
    if (automaton === undefined) return Infinity
    const states = this.#states
    automaton.start(states, 0)
    const depthMax = this.#length + automaton.edits
    let [begun, depth, previous, beginning] = [Infinity, 0, -1, '']
    for (const character of form) {
      const codePoint = character.codePointAt(0)!
      const from = depth * STATE_SIZE
      if (depth === depthMax) return begun
      if (!automaton.step(states, from, from + STATE_SIZE, codePoint, previous)) return begun
      depth++
      previous = codePoint
      beginning += character
      const distance = automaton.distance(states, depth * STATE_SIZE)
      if (distance < 0 || !this.isLast || !looksBegun(typed, beginning)) continue
      begun = Math.min(begun, FACET_BEGUN_MISTAKES + distance)
    }
    const whole = automaton.distance(states, depth * STATE_SIZE)
    return whole < 0 ? begun : whole
  }
}
