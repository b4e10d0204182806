import { PAIR_CANDIDATES_MAX } from '../../scoring/formula.ts'
import type { Bonus } from './bonus.ts'
import type { RankedDocument } from './pair-bonus.ts'

/**
 * Raises the best documents by what their titles earn, sorts those again by score
 * (ties as `compareAnew` says), and cuts out the page.
 *
 * @param best the best documents, enough for the page and the bonus, in any order
 * @param compare the order without the bonus
 * @param compareAnew the order of the best among each other, beside the bonus
 */
export function rankPage<T extends RankedDocument>(
  best: T[],
  compare: (a: T, b: T) => number,
  bonus: Bonus | undefined,
  from: number,
  end: number,
  compareAnew = compare,
): T[] {
  const hasNoBonus = bonus?.isEmpty ?? true
  if (hasNoBonus && compareAnew === compare) return firstInOrder(best, compare, end).slice(from)
  if (best.length > PAIR_CANDIDATES_MAX) best.sort(compare)
  const candidates = best.slice(0, PAIR_CANDIDATES_MAX)
  const last = scoreAt(candidates, end)
  const raised = candidates.map((document) => {
    const { score } = document
    if (bonus === undefined || score + bonus.maxOf(score) < last) return { document, score }
    return { document, score: score + bonus.of(document) }
  })
  const page = firstInOrder(
    raised,
    (a, b) => b.score - a.score || compareAnew(a.document, b.document),
    end,
  ).map(({ document, score }) => (score === document.score ? document : { ...document, score }))
  return [...page, ...best.slice(PAIR_CANDIDATES_MAX, end)].slice(from)
}

/** The score at a rank from 1; what scores less without its bonus needs one to get there. */
function scoreAt(documents: readonly RankedDocument[], rank: number): number {
  if (documents.length < rank) return -Infinity
  const scores = Float64Array.from(documents, ({ score }) => score).sort()
  return scores[scores.length - rank]!
}

/** Up to this many, picking one after the other beats sorting all. */
const PICK_MAX = 16

/** The first `count` in order; the array is changed. */
function firstInOrder<T>(items: T[], compare: (a: T, b: T) => number, count: number): T[] {
  if (count > PICK_MAX || items.length <= PICK_MAX) return items.sort(compare).slice(0, count)
  for (let i = 0; i < Math.min(count, items.length); i++) {
    let best = i
    for (let j = i + 1; j < items.length; j++) if (compare(items[j]!, items[best]!) < 0) best = j
    const item = items[i]!
    items[i] = items[best]!
    items[best] = item
  }
  return items.slice(0, count)
}
