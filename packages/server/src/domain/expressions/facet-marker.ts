import {
  escapeHtml,
  FacetQuery,
  TextMarker,
  type Analyzer,
  type FacetWord,
  type MatchWords,
} from '@aisle/engine'

/** Marks the words of a facet query in the values of a facet. */
export class FacetMarker {
  readonly #words: readonly FacetWord[]
  readonly #query: FacetQuery
  readonly #analyzer: Analyzer
  readonly #isEscaped: boolean
  /** Markers by the words to mark: usually one set, some more for corrections. */
  readonly #markers = new Map<string, TextMarker>()

  /** @param isEscaped whether to escape for HTML, except the marks */
  constructor(words: readonly FacetWord[], analyzer: Analyzer, isEscaped: boolean) {
    this.#words = words
    this.#query = new FacetQuery(words)
    this.#analyzer = analyzer
    this.#isEscaped = isEscaped
  }

  mark(value: string): string {
    const matchWords = this.#matchWordsIn(value)
    const name = JSON.stringify(matchWords)
    let marker = this.#markers.get(name)
    if (marker === undefined) {
      marker = new TextMarker(this.#analyzer, matchWords)
      this.#markers.set(name, marker)
    }
    const marks = { before: '<mark>', after: '</mark>', escape: this.#isEscaped }
    return marker.mark(value, marks) ?? (this.#isEscaped ? escapeHtml(value) : value)
  }

  /** Marks the typed part of a word that continues; for a mistyped word, the whole matched word. */
  #matchWordsIn(value: string): MatchWords {
    const forms = this.#analyzer.analyze(value).map(({ form }) => form)
    return this.#query.matchesIn(forms).map(({ forms: standing, isBegun }, i) => {
      const { form } = this.#words[i]!
      return {
        stems: isBegun ? [] : [...new Set(standing.map((one) => this.#analyzer.stem(one)))],
        sequences: [],
        prefix: isBegun ? form : undefined,
        infixes: [],
        isLittle: false,
        weight: 1,
      }
    })
  }
}
