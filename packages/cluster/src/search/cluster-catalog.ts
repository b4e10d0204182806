import { averageLength } from '@aisle/engine/rescoring'
import type { FormLikeness, WordCatalog, WordRow } from '@aisle/engine/rescoring'
import type { Analyzer } from '@aisle/engine'
import type { Facts } from './facts.ts'
import type { Question } from './question.ts'
import * as questions from './word-questions.ts'
import type { SearchPlace } from './search-place.ts'

/** Assumed numbers of documents, by stem. */
export type LikelyCounts = ReadonlyMap<string, number>

/** The words of a store on the cluster. Use it within `Facts.settle`. */
export class ClusterCatalog implements WordCatalog {
  readonly #facts: Facts
  readonly #place: SearchPlace
  readonly #analyzer: Analyzer
  readonly #likely: LikelyCounts
  readonly #total: Question<number>
  readonly #lengths: Question<readonly questions.FieldTokens[]>
  /** Computed once, because the second stage reads them repeatedly. */
  #averages: {
    readonly tokens?: readonly questions.FieldTokens[]
    readonly lengths: readonly number[]
  } = { lengths: [] }
  /** Document frequencies of forms that came in a list. */
  readonly #listed = new Map<string, number>()
  /** The same of spellings near a word, if no document was deleted. */
  readonly #near = new Map<string, number>()
  /** The same by stem, with the number of forms that it was made of. */
  #nearStems: { readonly of: number; readonly counts: LikelyCounts } = { of: 0, counts: new Map() }

  /** @param likely what is assumed of stems that were never counted */
  constructor(
    facts: Facts,
    place: SearchPlace,
    analyzer: Analyzer,
    likely: LikelyCounts = new Map(),
  ) {
    this.#facts = facts
    this.#likely = likely
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
    const question = questions.formCount(this.#place, form)
    return this.#listed.get(form) ?? this.#count({ ...question, likely: this.#near.get(form) })
  }

  groupDocFreq(stem: string): number {
    const question = questions.groupCount(this.#place, stem)
    const likely = this.#likely.get(stem) ?? this.#likelyNear(stem)
    return this.#count({ ...question, likely })
  }

  bothDocFreq(stem: string, other: string): number {
    // Most spellings near a word have nothing to do with its neighbours.
    return this.#count({ ...questions.bothCount(this.#place, stem, other), likely: 0 })
  }

  rowDocFreq(row: WordRow): number {
    const question = questions.rowCount(this.#place, row)
    // Most words are not written apart anywhere.
    return this.#count(row.without === undefined ? question : { ...question, likely: 0 })
  }

  formsOfGroup(stem: string): readonly string[] {
    const listed = this.#facts.get(questions.groupForms(this.#place, stem, this.#analyzer))
    return [...listed.map.keys()]
  }

  formsLike(likeness: FormLikeness): readonly string[] {
    if (likeness.kind === 'near') {
      const near = this.#facts.get(questions.nearQuestion(this.#place, likeness)).map
      for (const [form, docFreq] of near) {
        if (docFreq > 0 || !this.#near.has(form)) this.#near.set(form, docFreq)
      }
      // The dictionary still contains forms that only deleted documents had.
      return [...near.keys()].filter((form) => this.formDocFreq(form) > 0)
    }
    const listed = this.#facts.get(
      questions.formsQuestion(this.#place, likeness, this.#analyzer),
    ).map
    for (const [form, docFreq] of listed) this.#listed.set(form, docFreq)
    return [...listed.keys()]
  }

  /** Most stems of spellings near a word have no other form. */
  #likelyNear(stem: string): number | undefined {
    if (this.#nearStems.of !== this.#near.size) {
      const known = [...this.#near].filter(([, docFreq]) => docFreq > 0)
      const byStem = known.map(([form, docFreq]) => [this.#analyzer.stem(form), docFreq] as const)
      this.#nearStems = { of: this.#near.size, counts: new Map(byStem) }
    }
    return this.#nearStems.counts.get(stem)
  }

  /** Caps a count at N: one that is some seconds old may exceed it. */
  #count(question: Question<number>): number {
    const { docCount } = this
    return Math.min(this.#facts.get(question), docCount)
  }
}
