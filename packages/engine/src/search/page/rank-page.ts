import { PAIR_CANDIDATES_MAX } from '../../scoring/formula.ts'
import { BestScores } from './best-scores.ts'
import type { Bonus } from './bonus.ts'
import type { RankedDocument } from './rescorer.ts'

export interface RankOptions<T> {
  /** The order of best documents with equal scores, bonus included; by default `compare`. */
  readonly compareRaised?: (a: T, b: T) => number
  /** The best documents, without omissions; by default those given. */
  readonly all?: () => T[]
}

/**
 * Adds the bonus to the best documents, sorts them again by score, and cuts out the page.
 *
 * @param best the best documents, enough for the page and the bonus, in any order; may omit
 * documents that no bonus can bring onto the page
 * @param compare the order without the bonus
 */
export function rankPage<T extends RankedDocument>(
  best: T[],
  compare: (a: T, b: T) => number,
  bonus: Bonus,
  from: number,
  end: number,
  { compareRaised = compare, all = () => best }: RankOptions<T> = {},
): T[] {
  best.sort(compare)
  if (bonus.isEmpty && compareRaised === compare) return best.slice(from, end)
  const raised = (documents: readonly T[], pointsOf: PointsOf): T[] =>
    raise(documents.slice(0, PAIR_CANDIDATES_MAX), bonus, pointsOf, end)
      .sort((a, b) => b.score - a.score || compareRaised(a.document, b.document))
      .slice(0, end)
      .map(({ document, score }) => (score === document.score ? document : { ...document, score }))
  const earned: PointsOf = (document, scoreMin) => bonus.of(document, scoreMin)
  let page = raised(best, earned)
  // On few pages, a title loses points: only then may all documents be needed.
  if (bonus.hasLosses(page)) {
    const documents = all().sort(compare)
    page = raised(
      documents,
      (document, scoreMin) => earned(document, scoreMin) - bonus.lossOf(document),
    )
  }
  return [...page, ...best.slice(PAIR_CANDIDATES_MAX, end)].slice(from)
}

/** What a document earns; a document below `scoreMin` even with it may be left without it. */
type PointsOf = (document: RankedDocument, scoreMin: number) => number

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
  pointsOf: PointsOf,
  end: number,
): Raised<T>[] {
  const best = new BestScores(Math.min(end, documents.length))
  const raised: Raised<T>[] = []
  for (const document of documents) {
    const { score: before } = document
    if (before + bonus.maxOf(before) < best.least) continue
    const score = before + pointsOf(document, best.least)
    if (score < best.least) continue
    best.add(score)
    raised.push({ document, score })
  }
  return raised.filter(({ score }) => score >= best.least)
}
