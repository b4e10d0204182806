import type { SearchPlan } from '../../query/plan.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import { ByKey } from './by-key.ts'
import { levels } from './levels.ts'
import { EveryMatch, type Choice, type Strategy } from './strategy.ts'
import { tiers } from './tiers.ts'

/** The strategies for a query, to try in turn. */
export function chooseStrategies(choice: Choice): Strategy[] {
  const { run, matches, demand, page } = choice
  const { known, count } = demand
  if (!page.isByScore) return [new ByKey(matches, page)]
  const every = [new EveryMatch(matches)]
  if (matches.areFew) return every
  const [only, ...others] = known
  if (only !== undefined && others.length === 0) {
    return holdsWords(run.plan, known) ? levels(choice, only) : every
  }
  if (count === 'all') return every
  const hasUpperTier = known.some(({ slot }) => !slot.stopword)
  return hasUpperTier || holdsWords(run.plan, known) ? tiers(choice) : every
}

/**
 * Whether a value equal to the query contains the words as typed, so that the main alternatives
 * find it.
 */
function holdsWords({ exactValue }: SearchPlan, known: readonly ResolvedSlot[]): boolean {
  return exactValue.length === 0 || known.every(({ slot }) => exactValue.includes(slot.form))
}
