import type { Matches } from '../match/matches.ts'
import type { WordSets } from '../match/word-sets.ts'
import type { ExactValues } from '../model/exact-values.ts'
import type { PageCollector } from '../page/page-collector.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { Steps } from '../view/steps.ts'
import type { WordDemand } from '../words/matching-words.ts'

/**
 * Which of the matches are scored. Scoring a document costs ten times as much as counting it, and a
 * page needs few. Follows MaxScore (Turtle and Flood, "Query evaluation: strategies and
 * optimizations", 1995).
 *
 * A query has one strategy or several, tried in turn: each offers documents that the earlier ones
 * did not, and the search ends as soon as nothing missed can reach the page.
 */
export interface Strategy {
  /** Maximum score of a match that neither this nor an earlier one offers; -Infinity: no match. */
  readonly missedMax: number
  /** Whether a higher `scoreMin` leaves it fewer candidates. */
  readonly narrows: boolean
  /** What takes long before `candidates` of the same window, in steps. */
  prepare?(segmentIndex: number, window: number): Steps
  /**
   * Fills the empty scratch memory with matches of a window. Called once per window, in order.
   *
   * @param scoreMin matches with a lower score may be left out
   * @returns their number
   */
  candidates(segmentIndex: number, window: number, scoreMin: number): number
}

/** What strategies choose from. */
export interface Choice {
  readonly run: SearchRun
  readonly sets: WordSets
  readonly matches: Matches
  readonly demand: WordDemand
  readonly exactValues: ExactValues
  readonly page: PageCollector
}

/** Scores every match: always correct, and cheapest if there are few. */
export class EveryMatch implements Strategy {
  readonly missedMax = -Infinity
  readonly narrows = false
  readonly #matches: Matches

  constructor(matches: Matches) {
    this.#matches = matches
  }

  candidates(segmentIndex: number, window: number): number {
    return this.#matches.in(segmentIndex).found.touch(window)
  }
}
