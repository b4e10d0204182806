import { PAIR_CANDIDATES_MAX } from '../../scoring/formula.ts'
import { BestScores } from './best-scores.ts'
import type { Bonus } from './bonus.ts'
import type { RankedDocument } from './rescorer.ts'

/**
 * Adds the bonus to the best documents, sorts them again by score (ties by `compareRaised`), and
 * cuts out the page.
 *
 * @param best the best documents, enough for the page and the bonus, in any order; may omit
 * documents that no bonus can bring onto the page
 * @param compare the order without the bonus
 * @param compareRaised the order of best documents with equal scores, bonus included
 */
export function rankPage<T extends RankedDocument>(
  best: T[],
  compare: (a: T, b: T) => number,
  bonus: Bonus,
  from: number,
  end: number,
  compareRaised = compare,
): T[] {
  best.sort(compare)
  if (bonus.isEmpty && compareRaised === compare) return best.slice(from, end)
  const page = raise(best.slice(0, PAIR_CANDIDATES_MAX), bonus, end)
    .sort((a, b) => b.score - a.score || compareRaised(a.document, b.document))
    .slice(0, end)
    .map(({ document, score }) => (score === document.score ? document : { ...document, score }))
  return [...page, ...best.slice(PAIR_CANDIDATES_MAX, end)].slice(from)
}

/** A document with its bonus. */
interface Raised<T> {
  readonly document: T
  readonly score: number
}

/**
 * Adds its bonus to each document that may reach the page with it.
 *
 * @param documents in order: bonuses of the best soon put the page out of reach of the others
 * @returns those that may be on the page
 */
function raise<T extends RankedDocument>(
  documents: readonly T[],
  bonus: Bonus,
  end: number,
): Raised<T>[] {
  const best = new BestScores(Math.min(end, documents.length))
  const raised: Raised<T>[] = []
  for (const document of documents) {
    const { score: before } = document
    if (before + bonus.maxOf(before) < best.least) continue
    const score = before + bonus.of(document, best.least)
    if (score < best.least) continue
    best.add(score)
    raised.push({ document, score })
  }
  return raised.filter(({ score }) => score >= best.least)
}
