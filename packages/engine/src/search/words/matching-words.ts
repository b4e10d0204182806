import { FREQUENT_DOCS_MIN } from '../../scoring/formula.ts'
import type { SearchOutcome } from '../../query/plan.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { ResolvedSlot } from './resolved-slot.ts'

/** "Which words must match" in docs/ranking.md: a match has all of these slots, or one of them. */
export interface WordDemand {
  /** The slots that occur in some document; none for a search without words. */
  readonly known: readonly ResolvedSlot[]
  /** Some of the known slots. */
  readonly demanded: readonly ResolvedSlot[]
  readonly count: 'all' | 'one'
}

/**
 * The demands that the plan allows, strictest first: each except the last applies only while enough
 * documents meet it. None: nothing can match.
 */
export function wordDemands(run: SearchRun, slots: readonly ResolvedSlot[]): WordDemand[] {
  const known = slots.filter((slot) => slot.known)
  const { requireAllTerms } = run.plan
  if (requireAllTerms === true) {
    return known.length < slots.length ? [] : [{ known, demanded: known, count: 'all' }]
  }
  const one: WordDemand = { known, demanded: carriersOf(run, known), count: 'one' }
  if (requireAllTerms === false) return [one]
  const significant = known.filter(({ slot }) => !slot.stopword)
  return significant.length === 0 ? [one] : [{ known, demanded: significant, count: 'all' }, one]
}

/** `SearchOutcome.matchedTerms` of a search with this demand. */
export function matchedTerms(
  slots: readonly ResolvedSlot[],
  demand: WordDemand | undefined,
): SearchOutcome['matchedTerms'] {
  if (demand?.count !== 'one') return 'all'
  return slots.filter(({ known, slot }) => known && !slot.stopword).length <= 1 ? 'all' : 'any'
}

/** The slots that carry ("Score" in docs/ranking.md). */
function carriersOf(
  { view: { docCount } }: SearchRun,
  known: readonly ResolvedSlot[],
): readonly ResolvedSlot[] {
  const isStrong = ({ slot, docFreq }: ResolvedSlot) =>
    !slot.stopword && !(docCount >= FREQUENT_DOCS_MIN && docFreq > docCount / 2)
  const strong = known.filter(isStrong)
  return strong.length === 0 ? known : strong
}
