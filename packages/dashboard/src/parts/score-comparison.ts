import { formatNumber } from '../format/numbers.ts'
import {
  formatSimilarity,
  listed,
  quoted,
  type ScorePart,
  type ScoreSummary,
} from './score-parts.ts'

/** A hit to compare: its rank, its name in a sentence, its score. */
export interface ComparedHit {
  readonly position: number
  /** Absent for a hit that a rule pinned, because it is not ranked. */
  readonly summary: ScoreSummary | undefined
}

/** Number of differences shown; the others are small. */
const DIFFERENCES_MAX = 3

/**
 * Why one hit ranks above another, the deciding reason first, in plain sentences.
 *
 * @param order what the results are sorted by, when it is not relevance
 */
export function whyBefore(first: ComparedHit, second: ComparedHit, order?: string): string[] {
  const [a, b] = [`#${first.position}`, `#${second.position}`]
  if (first.summary === undefined || second.summary === undefined) {
    const pinned = [first, second].filter(({ summary }) => summary === undefined)
    return [`A rule pins ${listed(pinned.map(({ position }) => `#${position}`))}`]
  }
  const [x, y] = [first.summary, second.summary]
  const reasons: string[] = []
  if (order !== undefined) {
    reasons.push(
      `The results are sorted by ${order}, so the score counts only where that order uses it`,
    )
  }
  if (x.isExact !== y.isExact) {
    reasons.push(
      `${x.isExact ? a : b} has a value that equals the query, ${x.isExact ? b : a} does not`,
    )
  }
  if (x.hasAllWords !== y.hasAllWords) {
    const [has, lacks, missing] = x.hasAllWords ? [a, b, y.missing] : [b, a, x.missing]
    const what = missing.length === 0 ? 'an intended word' : listed(missing.map(quoted))
    reasons.push(`${has} has all words of the query, ${lacks} lacks ${what}`)
  }
  const nearness = (x.meaning?.similarity ?? 0) - (y.meaning?.similarity ?? 0)
  if (nearness !== 0) reasons.push(nearer(nearness > 0 ? [a, x, y] : [b, y, x]))
  const difference = x.points - y.points
  if (difference === 0) {
    if (nearness !== 0) return reasons
    reasons.push('Both have the same points. By default, the product added last comes first')
    return reasons
  }
  const more = difference > 0 ? a : b
  reasons.push(`${more} has ${formatNumber(Math.abs(difference))} more points`)
  const parts = partDifferences(x.parts, y.parts)
  for (const { label, points, of } of parts.slice(0, DIFFERENCES_MAX)) {
    const who = points > 0 ? a : b
    reasons.push(`${label} brings ${formatNumber(Math.abs(points))} more to ${who}${of}`)
  }
  return reasons
}

/** @param pair the name of the more similar hit, its score, and that of the other */
function nearer([name, more, less]: readonly [string, ScoreSummary, ScoreSummary]): string {
  const text = ({ meaning }: ScoreSummary): string =>
    meaning === undefined ? 'has no vector' : `has ${formatSimilarity(meaning.similarity)}`
  const isQuestion = (more.meaning ?? less.meaning)?.question === true
  const why = isQuestion ? '. The query is a question, so that counts more than words' : ''
  return `${name} is nearer in meaning: it ${text(more)}, the other ${text(less)}${why}`
}

/** By how much each part differs, the largest difference first. */
function partDifferences(
  first: readonly ScorePart[],
  second: readonly ScorePart[],
): { readonly label: string; readonly points: number; readonly of: string }[] {
  const others = new Map(second.map((part) => [part.key, part]))
  const own = new Map(first.map((part) => [part.key, part]))
  return [...new Set([...own.keys(), ...others.keys()])]
    .map((key) => {
      const [x, y] = [own.get(key), others.get(key)]
      const points = (x?.points ?? 0) - (y?.points ?? 0)
      const better = points > 0 ? x : y
      const label = (x ?? y)!.kind === 'word' ? quoted((x ?? y)!.label) : (x ?? y)!.label
      return { label, points, of: better === undefined ? '' : `: ${better.sentence}` }
    })
    .filter(({ points }) => points !== 0)
    .toSorted((x, y) => Math.abs(y.points) - Math.abs(x.points))
}
