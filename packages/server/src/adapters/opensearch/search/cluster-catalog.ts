import { averageLength } from '@aisle/engine/candidates'
import type { FormLikeness, TitleSample, WordCatalog, WordRow } from '@aisle/engine/candidates'
import type { Analyzer } from '@aisle/engine'
import type { Facts, Question } from './facts.ts'
import * as questions from './word-questions.ts'
import type { SearchPlace } from './search-place.ts'

/** The words of a store on the cluster. To be used within `Facts.settle`. */
export class ClusterCatalog implements WordCatalog {
  readonly #facts: Facts
  readonly #place: SearchPlace
  readonly #analyzer: Analyzer
  readonly #corpusQuestion: Question<questions.Corpus>
  /** Asked for again and again: computed once. */
  #averages: { readonly corpus?: questions.Corpus; readonly lengths: readonly number[] } = {
    lengths: [],
  }
  /** df of forms that came in a list. */
  readonly #listed = new Map<string, number>()

  constructor(facts: Facts, place: SearchPlace, analyzer: Analyzer) {
    this.#facts = facts
    this.#place = place
    this.#analyzer = analyzer
    this.#corpusQuestion = questions.corpusQuestion(place)
  }

  get docCount(): number {
    return this.#corpus().docCount
  }

  get averageLengths(): readonly number[] {
    return this.#averagesOf(this.#corpus())
  }

  #corpus(): questions.Corpus {
    return this.#facts.get(this.#corpusQuestion)
  }

  #averagesOf(corpus: questions.Corpus): readonly number[] {
    if (this.#averages.corpus !== corpus) {
      const lengths = corpus.lengths.map(({ total, docCount }) => averageLength(total, docCount))
      this.#averages = { corpus, lengths }
    }
    return this.#averages.lengths
  }

  formDocFreq(form: string): number {
    return this.#listed.get(form) ?? this.#facts.get(questions.formCount(this.#place, form))
  }

  groupDocFreq(stem: string): number {
    return this.#facts.get(questions.groupCount(this.#place, stem))
  }

  titleDocFreq(stem: string): number {
    return this.#facts.get(questions.titleCount(this.#place, stem))
  }

  bothDocFreq(stem: string, other: string): number {
    return this.#facts.get(questions.bothCount(this.#place, stem, other))
  }

  rowDocFreq(row: WordRow): number {
    return this.#facts.get(questions.rowCount(this.#place, row))
  }

  titlesWith(stem: string, field: number): TitleSample {
    return this.#facts.get(questions.titlesQuestion(this.#place, stem, field))
  }

  formsOfGroup(stem: string): readonly string[] {
    const listed = this.#facts.get(questions.groupForms(this.#place, stem))
    return [...listed.keys()].filter((form) => this.#analyzer.stem(form) === stem)
  }

  formsLike(likeness: FormLikeness): readonly string[] {
    if (likeness.kind === 'near') {
      const near = this.#facts.get(questions.nearQuestion(this.#place, likeness))
      // The dictionary still has what only deleted documents had.
      return near.filter((form) => this.formDocFreq(form) > 0)
    }
    const listed = this.#facts.get(questions.formsQuestion(this.#place, likeness))
    for (const [form, docFreq] of listed) this.#listed.set(form, docFreq)
    return [...listed.keys()]
  }
}
