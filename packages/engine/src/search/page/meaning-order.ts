import type { MeaningExplanation } from '../../query/explanation.ts'
import type { PlannedMeaning } from '../../query/plan.ts'
import { PAIR_CANDIDATES_MAX } from '../../scoring/formula.ts'
import { MEANING_CANDIDATES, orderByMeaning } from '../../scoring/meaning.ts'
import type { SimilarDocument } from '../match/similar-documents.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { RankedDocument } from './rescorer.ts'

/**
 * The order of matches by words and meaning: the best of both compete, then come the others that
 * words found, then the others that only their meaning found.
 */
export class MeaningOrder {
  readonly #run: SearchRun
  readonly #meaning: PlannedMeaning
  readonly #similar: readonly SimilarDocument[]
  readonly #wordCount: number

  /**
   * @param similar documents that only their meaning found, most similar first
   * @param wordCount how many documents words found, pinned ones not among them
   */
  constructor(
    run: SearchRun,
    meaning: PlannedMeaning,
    similar: readonly SimilarDocument[],
    wordCount: number,
  ) {
    this.#wordCount = wordCount
    this.#run = run
    this.#meaning = meaning
    this.#similar = similar
  }

  /**
   * @param byWords documents of these ranks in the order by words
   * @returns documents of the ranks `from .. end - 1`
   */
  ranked(
    byWords: (from: number, end: number) => RankedDocument[],
    from: number,
    end: number,
  ): RankedDocument[] {
    const added = this.#similar.slice(0, MEANING_CANDIDATES)
    const candidates = [...byWords(0, PAIR_CANDIDATES_MAX), ...added]
    const page = from < candidates.length ? this.#ordered(candidates).slice(from, end) : []
    const wordsEnd = this.#wordCount + added.length
    const [first, last] = [Math.max(from, candidates.length), Math.min(end, wordsEnd)]
    const others = first < last ? byWords(first - added.length, last - added.length) : []
    const rest = Math.max(from, wordsEnd)
    return [
      ...page,
      ...others,
      ...this.#similar.slice(rest - this.#wordCount, Math.max(rest, end) - this.#wordCount),
    ]
  }

  /** See `explainMeaning`. */
  explain(document: RankedDocument): MeaningExplanation | undefined {
    const similarity = this.#similarityOf(document)
    if (similarity === undefined) return undefined
    return this.#meaning.isQuestion ? { similarity, question: true } : { similarity }
  }

  #ordered(candidates: readonly RankedDocument[]): RankedDocument[] {
    const scored = candidates.map((document) => ({
      score: document.score,
      similarity: this.#similarityOf(document),
    }))
    return orderByMeaning(scored, this.#meaning).map((i) => candidates[i]!)
  }

  #similarityOf({ segmentIndex, docOrd }: RankedDocument): number | undefined {
    const { view } = this.#run
    const { field, vector } = this.#meaning
    const vectors = view.segments[segmentIndex]!.reader.vectors(view.schema, field)
    const ord = vectors?.ords[docOrd] ?? 0
    return ord === 0 ? undefined : vectors!.similarityOf(ord - 1, vector)
  }
}
