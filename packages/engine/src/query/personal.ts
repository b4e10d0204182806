import type { FilterNode } from './filter.ts'

/** "Personal" in docs/ranking.md: what lifts documents for one visitor. */
export interface PlannedPersonal {
  /** Never empty. */
  readonly lifts: readonly PlannedLift[]
  /** Maximum of the shares of a document, above 0. */
  readonly limit: number
}

export interface PlannedLift {
  readonly filter: FilterNode
  /** Share by which the points of a document grow that meets the filter, above 0. */
  readonly share: number
}

/** The parts of a plan that multiply points by a filter. */
interface Boosted {
  readonly boosts: readonly { readonly filter: FilterNode; readonly factor: number }[]
  readonly personal?: PlannedPersonal
}

/** The boosts of a plan and the lifts of its visitor, as boosts; for orders that are coarse. */
export function allBoosts({ boosts, personal }: Boosted): Boosted['boosts'] {
  if (personal === undefined) return boosts
  const lifts = personal.lifts.map(({ filter, share }) => ({ filter, factor: 1 + share }))
  return [...boosts, ...lifts]
}

/** Whether documents without words have different points. */
export function hasBoosts({ boosts, personal }: Boosted): boolean {
  return boosts.length > 0 || personal !== undefined
}
