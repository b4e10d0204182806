import { PAIR_CANDIDATES_MAX } from '../../scoring/formula.ts'
import type { Bonus } from './bonus.ts'
import type { RankedDocument } from './pair-bonus.ts'

/**
 * Adds the bonus to the best documents, sorts them again by score (ties by `compareAnew`), and cuts
 * out the page.
 *
 * @param best the best documents, enough for the page and the bonus, in any order
 * @param compare the order without the bonus
 * @param compareAnew the order of best documents with equal scores, bonus included
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
  const page = firstInOrder(
    raise(candidates.toSorted(compare), bonus, end),
    (a, b) => b.score - a.score || compareAnew(a.document, b.document),
    end,
  ).map(({ document, score }) => (score === document.score ? document : { ...document, score }))
  return [...page, ...best.slice(PAIR_CANDIDATES_MAX, end)].slice(from)
}

/**
 * Adds its bonus to each document, unless it cannot reach the page even with it.
 * @param documents in order: the bonuses of the best soon put the page out of reach of the others
 */
function raise<T extends RankedDocument>(
  documents: readonly T[],
  bonus: Bonus | undefined,
  end: number,
): { readonly document: T; readonly score: number }[] {
  const best = new BestScores(end)
  return documents.map((document, rank) => {
    const { score: before } = document
    const mayReach = bonus !== undefined && before + bonus.maxOf(before) >= best.least
    const score = mayReach ? before + bonus.of(document, rank, best.least) : before
    best.add(score)
    return { document, score }
  })
}

/** The `size` best scores of those that were added. */
class BestScores {
  readonly #size: number
  /** Ascending. */
  readonly #scores: number[] = []

  constructor(size: number) {
    this.#size = size
  }

  /** -Infinity while there are fewer. */
  get least(): number {
    return this.#scores.length < this.#size ? -Infinity : this.#scores[0]!
  }

  add(score: number): void {
    if (score < this.least) return
    const scores = this.#scores
    let at = scores.push(score) - 1
    for (; at > 0 && scores[at - 1]! > score; at--) scores[at] = scores[at - 1]!
    scores[at] = score
    if (scores.length > this.#size) scores.shift()
  }
}

/** Up to this many, picking one by one beats sorting all. */
const PICK_MAX = 16

/** The first `count` in order; reorders the array. */
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
