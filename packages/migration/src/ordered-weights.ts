/** Weight of the first field; each further one has half of the one before, down to 1. */
const FIRST_WEIGHT = 8

/**
 * Weights for engines that only have an order of fields: 8, 4, 2, 1, 1 ... A word in the title is
 * worth more there than one in the description, and so it stays.
 *
 * @param groups fields by rank; those of a group weigh the same
 */
export function orderedWeights(groups: readonly (readonly string[])[]): Record<string, number> {
  const weights = new Map<string, number>()
  for (const [rank, group] of groups.entries()) {
    // Named twice, as itself and in its object, a field has the better rank.
    for (const name of group) if (!weights.has(name)) weights.set(name, weightAt(rank))
  }
  return Object.fromEntries(weights)
}

function weightAt(rank: number): number {
  return Math.max(1, Math.floor(FIRST_WEIGHT / 2 ** rank))
}
