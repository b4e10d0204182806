import { averageLength } from '@aisle/engine/rescoring'
import type { FormLikeness, WordCatalog, WordRow } from '@aisle/engine/rescoring'
import type { Analyzer } from '@aisle/engine'
import type { Facts } from './facts.ts'
import type { Question } from './question.ts'
import * as questions from './word-questions.ts'
import type { SearchPlace } from './search-place.ts'

/** The words of a store on the cluster. Use it within `Facts.settle`. */
export class ClusterCatalog implements WordCatalog {
  readonly #facts: Facts
  readonly #place: SearchPlace
  readonly #analyzer: Analyzer
  readonly #unlikely: ReadonlySet<string>
  readonly #total: Question<number>
  readonly #lengths: Question<readonly questions.FieldTokens[]>
  /** Computed once, because the second stage reads them repeatedly. */
  #averages: {
    readonly tokens?: readonly questions.FieldTokens[]
    readonly lengths: readonly number[]
  } = { lengths: [] }
  /** Document frequencies of forms that came in a list. */
  readonly #listed = new Map<string, number>()

  /** @param unlikely stems that probably no document has, such as two words joined */
  constructor(
    facts: Facts,
    place: SearchPlace,
    analyzer: Analyzer,
    unlikely: ReadonlySet<string> = new Set(),
  ) {
    this.#facts = facts
    this.#unlikely = unlikely
    this.#place = place
    this.#analyzer = analyzer
    this.#total = questions.totalCount(place)
    this.#lengths = questions.lengthsQuestion(place)
  }

  get docCount(): number {
    return this.#facts.get(this.#total)
  }

  get averageLengths(): readonly number[] {
    const tokens = this.#facts.get(this.#lengths)
    if (this.#averages.tokens !== tokens) {
      const lengths = tokens.map(({ total, docCount }) => averageLength(total, docCount))
      this.#averages = { tokens, lengths }
    }
    return this.#averages.lengths
  }

  formDocFreq(form: string): number {
    return this.#listed.get(form) ?? this.#count(questions.formCount(this.#place, form))
  }

  groupDocFreq(stem: string): number {
    const question = questions.groupCount(this.#place, stem)
    return this.#count(this.#unlikely.has(stem) ? { ...question, likely: 0 } : question)
  }

  bothDocFreq(stem: string, other: string): number {
    return this.#count(questions.bothCount(this.#place, stem, other))
  }

  rowDocFreq(row: WordRow): number {
    return this.#count(questions.rowCount(this.#place, row))
  }

  formsOfGroup(stem: string): readonly string[] {
    const listed = this.#facts.get(questions.groupForms(this.#place, stem, this.#analyzer))
    return [...listed.map.keys()]
  }

  formsLike(likeness: FormLikeness): readonly string[] {
    if (likeness.kind === 'near') {
      const near = this.#facts.get(questions.nearQuestion(this.#place, likeness))
      // The dictionary still contains forms that only deleted documents had.
      return near.filter((form) => this.formDocFreq(form) > 0)
    }
    const listed = this.#facts.get(
      questions.formsQuestion(this.#place, likeness, this.#analyzer),
    ).map
    for (const [form, docFreq] of listed) this.#listed.set(form, docFreq)
    return [...listed.keys()]
  }

  /** Caps a count at N: one that is some seconds old may exceed it. */
  #count(question: Question<number>): number {
    const { docCount } = this
    return Math.min(this.#facts.get(question), docCount)
  }
}
