import type { Analyzer } from '../analysis/analyzer.ts'
import type { BoostExplanation } from '../query/explanation.ts'
import type { SearchPlan } from '../query/plan.ts'
import { boostFactor } from '../scoring/formula.ts'
import type { NaiveDocument } from './naive-document.ts'
import { matches } from './naive-filter.ts'

export function isPinned({ pins }: SearchPlan, document: NaiveDocument): boolean {
  return pins.some(({ id }) => id === document.id)
}

/**
 * Puts pinned documents at their positions among the others. One whose position is behind the end comes at the end.
 *
 * @param ranked the other documents, in order
 */
export function placePins<T>(
  { pins }: SearchPlan,
  ranked: readonly T[],
  pinned: ReadonlyMap<string, T>,
): T[] {
  const others = [...ranked]
  const waiting = pins.filter(({ id }) => pinned.has(id))
  const placed: T[] = []
  while (others.length > 0 || waiting.length > 0) {
    const isTurn = others.length === 0 || waiting[0]?.position === placed.length + 1
    placed.push(isTurn ? pinned.get(waiting.shift()!.id)! : others.shift()!)
  }
  return placed
}

/** "Boosts" in docs/ranking.md. */
export function boostOf(
  { boosts }: SearchPlan,
  document: NaiveDocument,
  analyzer: Analyzer,
): BoostExplanation {
  const met = [...boosts.keys()].filter((i) => matches(document, boosts[i]!.filter, analyzer))
  const product = met.reduce((factor, i) => factor * boosts[i]!.factor, 1)
  return { factor: boostFactor(product), boosts: met }
}
