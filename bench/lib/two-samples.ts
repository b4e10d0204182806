/** Whether two samples could come from the same source. */
export interface Comparison {
  /**
   * The chance that a value of the first is smaller than one of the second, ties counted half: 0.5
   * if they are indistinguishable. An outlier weighs no more than any other value.
   */
  readonly chanceSmaller: number
  /** Distance from 0.5 in standard errors. */
  readonly z: number
}

/**
 * The rank test of Mann and Whitney, "On a Test of Whether one of Two Random Variables …" (1947),
 * with ties.
 */
export function compareSamples(a: readonly number[], b: readonly number[]): Comparison {
  const all = [
    ...a.map((value) => ({ value, isA: true })),
    ...b.map((value) => ({ value, isA: false })),
  ].toSorted((x, y) => x.value - y.value)
  let ranksOfA = 0
  let tieTerm = 0
  for (let from = 0; from < all.length;) {
    let to = from
    while (to < all.length && all[to]!.value === all[from]!.value) to++
    // Equal values share the mean of their ranks, which start at 1.
    const rank = (from + 1 + to) / 2
    for (let i = from; i < to; i++) if (all[i]!.isA) ranksOfA += rank
    const tied = to - from
    tieTerm += tied ** 3 - tied
    from = to
  }
  const [n, m, total] = [a.length, b.length, all.length]
  const larger = ranksOfA - (n * (n + 1)) / 2
  const chanceSmaller = 1 - larger / (n * m)
  const variance = (total + 1 - tieTerm / (total * (total - 1))) / 12 / n / m
  return { chanceSmaller, z: variance === 0 ? 0 : (chanceSmaller - 0.5) / Math.sqrt(variance) }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}
