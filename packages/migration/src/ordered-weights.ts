/** Weight of the first field; each further one has half of the previous weight, down to 1. */
const FIRST_WEIGHT = 8

/**
 * Weights for engines that only have an order of fields: 8, 4, 2, 1, 1 ... There, a word in the
 * title counts more than one in the description, and these weights preserve that.
 *
 * @param groups fields by rank; fields of a group have the same weight
 */
export function orderedWeights(groups: readonly (readonly string[])[]): Record<string, number> {
  const weights = new Map<string, number>()
  for (const [rank, group] of groups.entries()) {
    // A field that is named twice, directly and by its object, gets the better rank.
    for (const name of group) if (!weights.has(name)) weights.set(name, weightAt(rank))
  }
  return Object.fromEntries(weights)
}

function weightAt(rank: number): number {
  return Math.max(1, Math.floor(FIRST_WEIGHT / 2 ** rank))
}
