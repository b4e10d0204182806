import { wilsonInterval } from './judgment.ts'

/**
 * The evidence of traffic for a phrase that replaced another; see ReformulationRow of the events.
 */
export interface CountedReformulation {
  readonly visitors: number
  readonly visitorsTried: number
  readonly visitorsFoundFew: number
  readonly visitorsGaveUp: number
  readonly visitorsArrived: number
  readonly positionSum: number
  readonly sharedPositionSum: number
  readonly visitorsClickedFrom: number
}

/** Section 2 of docs/synonym-suggestions.md, points 1 to 4. */
export const SYNONYM_THRESHOLDS = {
  /** Minimum of visitors who replaced one phrase by the other and then clicked. */
  visitorsMin: 3,
  /** Minimum share of them among those who tried the replacement. */
  contentMin: 0.4,
  /** Minimum share of visitors who gave up the phrase, by the lower end of its interval. */
  shareMin: 0.05,
  /** Minimum factor by which that exceeds the share of visitors who gave up anything else. */
  liftMin: 5,
  /** Share of the corrected clicks on what others clicked for the first query. */
  sharedMin: 0.3,
  /** Number of visitors whose clicks for the first query show what it means. */
  meaningVisitorsMin: 3,
  /** Minimum number of visitors if their clicks do not show what it means. */
  unknownVisitorsMin: 6,
} as const

export type SynonymThresholds = Readonly<Record<keyof typeof SYNONYM_THRESHOLDS, number>>

/**
 * Whether the counts alone suggest that two phrases mean the same.
 *
 * @param visitorsInAll who replaced anything by anything
 */
export function isEvidence(
  row: CountedReformulation,
  visitorsInAll: number,
  limits: SynonymThresholds = SYNONYM_THRESHOLDS,
): boolean {
  if (row.visitors < limits.visitorsMin) return false
  if (row.visitors < limits.contentMin * row.visitorsTried) return false
  return isNoChance(row, visitorsInAll, limits) && isOnBoth(row, limits)
}

function isNoChance(
  { visitorsTried: tried, visitorsGaveUp: gaveUp, visitorsArrived }: CountedReformulation,
  visitorsInAll: number,
  { shareMin, liftMin }: SynonymThresholds,
): boolean {
  const [low] = wilsonInterval(tried, gaveUp)
  const elsewhere = (visitorsArrived - tried) / Math.max(1, visitorsInAll - gaveUp)
  return low >= shareMin && low >= liftMin * elsewhere
}

/** The clicks went to what both phrases could mean, as far as the first has shown what it means. */
function isOnBoth(
  row: CountedReformulation,
  { sharedMin, meaningVisitorsMin, unknownVisitorsMin }: SynonymThresholds,
): boolean {
  if (row.visitorsClickedFrom >= meaningVisitorsMin) {
    return row.sharedPositionSum >= sharedMin * row.positionSum
  }
  return 2 * row.visitorsFoundFew >= row.visitors || row.visitors >= unknownVisitorsMin
}
