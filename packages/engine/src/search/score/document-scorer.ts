import { WINDOW_BITS } from '../../postings/postings-format.ts'
import { EXACT_VALUE_STEP, TIER_STEP } from '../../scoring/formula.ts'
import { scratch } from '../match/window-scratch.ts'
import type { ExactDocuments, ExactValues } from '../model/exact-values.ts'
import { pointsIn, significantIn, WordModel } from '../model/word-model.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import { WordScorer } from './word-scorer.ts'

/** Scores documents of one segment. */
export interface SegmentScorer {
  /**
   * Takes the first `count` documents out of the scratch memory, all of one window, and writes them
   * with their text match scores to its `docs` and `points`.
   *
   * @param scoreMin documents with a lower score may be left out
   * @returns how many it writes
   */
  score(window: number, count: number, scoreMin: number): number
}

/** Scores documents that match. */
export interface Scorer {
  in(segmentIndex: number): SegmentScorer
}

/** Scores documents by the words that they have. */
export class DocumentScorer implements Scorer {
  readonly #run: SearchRun
  readonly #models: readonly WordModel[]
  readonly #exactValues: ExactValues
  readonly #bySegment: SegmentScorer[] = []

  /** @param known the words of the query that occur in some document */
  constructor(run: SearchRun, known: readonly ResolvedSlot[], exactValues: ExactValues) {
    this.#run = run
    this.#models = known.map((slot) => new WordModel(slot))
    this.#exactValues = exactValues
  }

  in(segmentIndex: number): SegmentScorer {
    return (this.#bySegment[segmentIndex] ??= this.#open(segmentIndex))
  }

  #open(segmentIndex: number): SegmentScorer {
    const run = this.#run
    const words = this.#models.map((model, i) => new WordScorer(run, model, i, segmentIndex))
    const exact = this.#exactValues.in(run.view.segments[segmentIndex]!)
    const significant = this.#models.filter(({ slot }) => !slot.slot.stopword).length
    return new WordsOfSegment(words, exact, significant)
  }
}

class WordsOfSegment implements SegmentScorer {
  readonly #words: readonly WordScorer[]
  readonly #exact: ExactDocuments | undefined
  /** Significant words that a document of the upper tier has. */
  readonly #significant: number

  constructor(
    words: readonly WordScorer[],
    exact: ExactDocuments | undefined,
    significant: number,
  ) {
    this.#words = words
    this.#exact = exact
    this.#significant = significant
  }

  score(window: number, count: number, scoreMin: number): number {
    if (count === 0) return 0
    try {
      for (const word of this.#words) word.add(window, count)
      return this.#take(window, count, scoreMin)
    } catch (error) {
      scratch.clear()
      throw error
    }
  }

  #take(window: number, count: number, scoreMin: number): number {
    const { scores, touched, docs, points } = scratch
    const significant = this.#significant
    const exact = this.#exact
    const base = window << WINDOW_BITS
    let kept = 0
    for (let i = 0; i < count; i++) {
      const id = touched[i]!
      const sum = scores[id]!
      scores[id] = 0
      let score = pointsIn(sum)
      if (significantIn(sum) === significant) {
        score += TIER_STEP + (exact?.has(base + id) === true ? EXACT_VALUE_STEP : 0)
      }
      if (score < scoreMin) continue
      docs[kept] = base + id
      points[kept++] = score
    }
    scratch.forget(count)
    return kept
  }
}

/** Gives all documents the same score. */
export function constantScorer(score: number): Scorer {
  const scorer: SegmentScorer = {
    score(window, count) {
      const { touched, docs, points } = scratch
      const base = window << WINDOW_BITS
      for (let i = 0; i < count; i++) docs[i] = base + touched[i]!
      points.fill(score, 0, count)
      scratch.forget(count)
      return count
    },
  }
  return { in: () => scorer }
}
