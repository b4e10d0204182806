import { relevantPoints, TIER_STEP } from '../scoring/formula.ts'
import type { SearchRun } from './view/search-run.ts'
import type { MatchSink } from './collect/match-sink.ts'
import { sinkDocs, sinkPoints } from './collect/match-sink.ts'
import type { WordDemand } from './words/matching-words.ts'
import { ExactValues } from './ranking/exact-values.ts'
import { ALL_PINNED_IN } from './ranking/pinned-documents.ts'
import { rankAll } from './ranking/match-strategy.ts'
import { WordSets } from './ranking/word-sets.ts'
import { searchWords } from './word-search.ts'

/**
 * "Relevance" in docs/ranking.md: the minimum points of a match. A separate search over all
 * documents with words of the query, filtered or not, finds the best score, which sets the scale.
 *
 * @returns 0 without a minimum
 */
export function findRelevantPoints(run: SearchRun, demand: WordDemand): number {
  const { plan } = run
  if (relevantPoints(plan.minRelevance, 1) === 0) return 0
  const sink = new BestPoints()
  const open = { ...plan, exactValue: [] }
  const openRun = { ...run, plan: open }
  const sets = new WordSets(openRun)
  const words = { ...demand, pointsMin: 0 }
  const strategy = rankAll(demand.known)
  searchWords(openRun, words, sets, new ExactValues(openRun), ALL_PINNED_IN, strategy, sink)
  return relevantPoints(plan.minRelevance, sink.best)
}

/** Keeps only the highest points. */
class BestPoints implements MatchSink {
  readonly docs = sinkDocs
  readonly points = sinkPoints
  /** Otherwise documents with equal scores would be counted without a visit. */
  readonly needsUnranked = true
  readonly ranksNeeded = undefined
  best = 0

  /** A tier only adds points. */
  get countOnlyBelow(): number {
    return this.best
  }

  take(count: number): void {
    for (let i = 0; i < count; i++) this.best = Math.max(this.best, this.points[i]! % TIER_STEP)
  }

  beginSegment(): void {}
  tighten(): void {}

  countOnly(): void {}
  takeUnranked(): void {}
  rank(): void {}
  pick(): number {
    return 0
  }
  pickOf(): undefined {}
}
