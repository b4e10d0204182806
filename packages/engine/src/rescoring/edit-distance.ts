/**
 * Edits that turn `a` into `b`: insert, delete or replace a code point, or swap two neighbours. No
 * part is edited twice, so "ca" to "abc" costs 3 and not 2 (optimal string alignment, the
 * restricted form of Damerau, "A technique for computer detection and correction of spelling
 * errors", 1964).
 *
 * Time and memory are proportional to the product of the lengths in code points.
 */
export function editDistance(a: string, b: string): number {
  const from = [...a]
  const to = [...b]
  // distance[i][j]: edits that turn the first i code points of `from` into the first j of `to`.
  const distance: number[][] = []
  for (let i = 0; i <= from.length; i++) {
    distance.push(new Array<number>(to.length + 1).fill(0))
    distance[i]![0] = i
  }
  for (let j = 0; j <= to.length; j++) distance[0]![j] = j

  for (let i = 1; i <= from.length; i++) {
    for (let j = 1; j <= to.length; j++) {
      const replaced = from[i - 1] === to[j - 1] ? 0 : 1
      let best = Math.min(
        distance[i - 1]![j]! + 1,
        distance[i]![j - 1]! + 1,
        distance[i - 1]![j - 1]! + replaced,
      )
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      if (swapped) best = Math.min(best, distance[i - 2]![j - 2]! + 1)
      distance[i]![j] = best
    }
  }
  return distance[from.length]![to.length]!
}
