/**
 * Parts of the ranking that a plan can leave out. Only benches do: `npm run relevance -- --without
 * ...` measures what a part is worth, `npm run bench -- --without ...` what it costs.
 */
export const RANKING_PARTS = [
  /** Words side by side in the title earn points: see `pairPoints`. */
  'pairs',
  /** Titles of what is for the thing sought lose points: see `PURPOSE_FACTOR`. */
  'purpose',
  /** Titles order documents with the same score: see `tiesByPlace`. */
  'places',
  /** Unlikely corrections do not count: see `isLikely`. */
  'typoBound',
  /** Forms of a stem that are not plurals count less: see `stemQuality`. */
  'weakStems',
] as const

export type RankingPart = (typeof RANKING_PARTS)[number]

/** Whether a plan ranks by this part. */
export function ranksBy(
  { without }: { readonly without?: readonly RankingPart[] },
  part: RankingPart,
): boolean {
  return without === undefined || !without.includes(part)
}
