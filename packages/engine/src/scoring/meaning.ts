import { TIER_STEP } from './formula.ts'

/**
 * "Meaning" in docs/ranking.md: how the similarity of vectors reorders what words have found. The
 * numbers are those of a laboratory with judged queries of four catalogs; plain rank fusion for
 * every query would lose a tenth of the quality of keyword searches.
 */

/** Weight of a similarity, in shares of the best document's points, unless the request has one. */
export const MEANING_WEIGHT = 0.3
/** Of one word, where all match: a rank by similarity counts this share of the weight. */
export const MEANING_RANK_SHARE = 1 / 3
/** Of one word, among the rest: a similarity counts this many times the weight. */
export const MEANING_REST_FACTOR = 5 / 3
/** Rank fusion: a rank r counts 1 / (60 + r). Cormack and others, SIGIR 2009. */
export const MEANING_RANK_BASE = 60
/** In a question, the rank by similarity counts this many times the rank by words. */
export const MEANING_QUESTION_FACTOR = 2
/** How many documents without a word of the query compete with the best that have one. */
export const MEANING_CANDIDATES = 100

/** A document that may rise or fall by its meaning. */
export interface MeaningCandidate {
  /** Text match score; 0 if no word matches. */
  readonly score: number
  /** Similarity of its vector to that of the query; undefined if it has none. */
  readonly similarity: number | undefined
}

export interface MeaningRule {
  /** See `MEANING_WEIGHT`. */
  readonly weight: number
  /** Words of the query, without stopwords. */
  readonly words: number
  /** A question in natural language: see "Questions" in docs/ranking.md. */
  readonly isQuestion: boolean
}

/**
 * The order by words and meaning.
 *
 * @param candidates those with words in their order, then those without, most similar first
 * @returns their indexes, best first
 */
export function orderByMeaning(
  candidates: readonly MeaningCandidate[],
  { weight, words, isQuestion }: MeaningRule,
): number[] {
  const order = candidates.map((_, i) => i)
  const similarityAt = (i: number) => candidates[i]!.similarity ?? -Infinity
  const bySimilarity = order.toSorted((a, b) => similarityAt(b) - similarityAt(a) || a - b)
  const rankBySimilarity = new Map(bySimilarity.map((i, rank) => [i, rank + 1]))
  const byRank = (rank: number) => 1 / (MEANING_RANK_BASE + rank)
  const ofSimilarity = (i: number) =>
    candidates[i]!.similarity === undefined ? 0 : byRank(rankBySimilarity.get(i)!)
  const ofWords = (i: number) => (candidates[i]!.score === 0 ? 0 : byRank(i + 1))
  const pointsAt = (i: number) => candidates[i]!.score % TIER_STEP
  const best = candidates.reduce((most, _, i) => Math.max(most, pointsAt(i)), 1)
  const keyOf = (i: number): number => {
    if (isQuestion) return ofWords(i) + MEANING_QUESTION_FACTOR * ofSimilarity(i)
    const shared = pointsAt(i) / best
    const similarity = Math.max(0, candidates[i]!.similarity ?? 0)
    if (words > 1) return shared + weight * similarity
    if (tierOf(candidates[i]!) === 0) return shared + weight * MEANING_REST_FACTOR * similarity
    return ofWords(i) + weight * MEANING_RANK_SHARE * ofSimilarity(i)
  }
  const keys = order.map(keyOf)
  const tiers = candidates.map((candidate) => (isQuestion ? 0 : tierOf(candidate)))
  return order.sort((a, b) => tiers[b]! - tiers[a]! || keys[b]! - keys[a]! || a - b)
}

/** Documents with the exact value, with all words, and the rest. */
function tierOf({ score }: MeaningCandidate): number {
  return Math.floor(score / TIER_STEP)
}
