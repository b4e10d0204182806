import { SeededRandom } from '@aisle/testing'

/** A mean of paired differences, with its 95 % confidence interval. */
export interface PairedDifference {
  /** Number of compared pairs. */
  readonly pairs: number
  readonly mean: number
  readonly low: number
  readonly high: number
  readonly better: number
  readonly worse: number
}

/**
 * Paired bootstrap (Efron, Tibshirani, "An Introduction to the Bootstrap", 1993): resamples the
 * differences, so that effects common to both runs of a query cancel out. The same input gives the
 * same interval.
 *
 * @param differences new minus old, one per query
 */
export function pairedBootstrap(differences: readonly number[], rounds = 2_000): PairedDifference {
  const size = differences.length
  if (size === 0) {
    return { pairs: 0, mean: Number.NaN, low: Number.NaN, high: Number.NaN, better: 0, worse: 0 }
  }
  const random = new SeededRandom(20_240_607)
  const values = Float64Array.from(differences)
  const means = new Float64Array(rounds)
  for (let round = 0; round < rounds; round++) {
    let sum = 0
    for (let draw = 0; draw < size; draw++) sum += values[random.below(size)] ?? 0
    means[round] = sum / size
  }
  means.sort()
  return {
    pairs: size,
    mean: differences.reduce((sum, value) => sum + value, 0) / size,
    low: means[Math.floor(rounds * 0.025)] ?? Number.NaN,
    high: means[Math.ceil(rounds * 0.975) - 1] ?? Number.NaN,
    better: differences.filter((value) => value > 1e-9).length,
    worse: differences.filter((value) => value < -1e-9).length,
  }
}
